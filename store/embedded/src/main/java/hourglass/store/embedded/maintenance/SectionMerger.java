package hourglass.store.embedded.maintenance;

import hourglass.store.CorruptException;
import hourglass.store.Manifest;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.files.CatalogueRecord;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.SectionCopy;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PinnedHour;
import hourglass.store.embedded.memory.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges sections of hours into new page files: those of a sealed hour, many small ones, and those
 * that keep the bytes of deleted hours on the disk. A file that it writes has one retention class
 * and hours that expire at about the same time. Runs on the pages thread; not thread-safe.
 */
public final class SectionMerger {
  private static final Logger logger = LoggerFactory.getLogger(SectionMerger.class);

  /** The size from which on a merged file receives no more hours. */
  private static final long FILE_BYTES_MAX = MergePlanner.MERGE_BYTES_MAX;

  /** The most hours that are in memory for one merge. */
  private static final int HOURS_MAX = 2_048;

  /** The number of rows and pages of these hours from which on no more are loaded. */
  static final int PINNED_ENTRIES_MAX = 100_000;

  /** The hours after which a deleted hour's bytes go, even if most of their file is in use. */
  private static final int GONE_HOURS_MAX = 24;

  /** The factor by which a file's dead bytes exceed the others before it is worth a rewrite. */
  private static final int DEAD_FACTOR = 4;

  /** The longest time of a pass, since flushes wait for the same thread. */
  static final long PASS_NANOS_MAX = Duration.ofMillis(500).toNanos();

  private final Hours hours;
  private final PageFiles files;
  private final SpaceGuard space;
  private final RetentionClock clock;
  private final CloseDeadline deadline;
  private final MergePlanner planner;

  /** The hours with new sections, which may have many small ones now. */
  private final Set<ClassHour> grown = new LinkedHashSet<>();

  /** The hours with pages that cannot be decoded; they stay where they are until a restart. */
  private final Set<ClassHour> damaged = new HashSet<>();

  /** The file that a pass over files with dead bytes tried last; the next begins after it. */
  private long lastTried;

  public SectionMerger(
      Hours hours,
      PageFiles files,
      SpaceGuard space,
      RetentionClock clock,
      CloseDeadline deadline) {
    this.hours = hours;
    this.files = files;
    this.space = space;
    this.clock = clock;
    this.deadline = deadline;
    this.planner = new MergePlanner(files.catalogue());
  }

  /** Takes note of an hour that has another section, for the next {@link #mergeSmall}. */
  void grew(ClassHour of) {
    grown.add(of);
  }

  /** Merges small sections of hours that have many, for a limited time. A failure is logged. */
  void mergeSmall() {
    List<SectionMerge> merges =
        grown.stream().map(planner::small).filter(Objects::nonNull).toList();
    grown.clear();
    grown.addAll(merge(merges, space::check, overIn(PASS_NANOS_MAX)).left());
  }

  /** Merges the sections of hours that are sealed, for a limited time. A failure is logged. */
  MergeResult mergeSealed(Collection<ClassHour> sealed) {
    return merge(planner.sealed(sealed), space::check, overIn(PASS_NANOS_MAX));
  }

  /** Merges the sections of hours that have dead bytes, for a limited time. A failure is logged. */
  MergeResult mergeDead(Collection<ClassHour> some) {
    List<SectionMerge> merges =
        some.stream().flatMap(of -> planner.withoutDead(of).stream()).toList();
    return mergeFreeing(merges);
  }

  /**
   * Does merges after which bytes of erased columns leave the disk, for a limited time. Returns
   * false if some are left.
   *
   * @throws UnavailableException if one of them cannot be done now
   */
  boolean mergeErased(List<SectionMerge> merges) {
    merges.forEach(merge -> refuseImmovable(merge.of()));
    MergeResult merged = mergeFreeing(merges);
    merged.refuseUndone();
    return merged.left().isEmpty();
  }

  /**
   * Empties a file, after which bytes of erased columns leave the disk, for a limited time. Returns
   * false if sections are left.
   *
   * @throws UnavailableException if it cannot be done now
   */
  boolean emptyErased(FileUse file) {
    file.inUse().forEach(this::refuseImmovable);
    MergeResult merged = empty(file);
    merged.refuseUndone();
    return merged.left().isEmpty();
  }

  private MergeResult mergeFreeing(List<SectionMerge> merges) {
    return merge(merges, space::checkFreeing, overIn(PASS_NANOS_MAX));
  }

  /**
   * Moves all sections out of a file, so that it can be deleted, for a limited time. It moves none
   * unless there is room for all, since no byte is free before the last. A failure is logged.
   */
  MergeResult empty(FileUse file) {
    return empty(file, overIn(PASS_NANOS_MAX));
  }

  private MergeResult empty(FileUse file, BooleanSupplier over) {
    List<SectionMerge> merges = planner.emptying(file);
    try {
      space.checkFreeing(file.liveBytes());
      return merge(merges, space::checkFreeing, over);
    } catch (UnavailableException e) {
      String noRoom = FileProblem.of(e);
      logger.warn(
          "{}: cannot be rewritten, tried again later: {}", files.path(file.number()), noRoom);
      return new MergeResult(Set.copyOf(file.inUse()), Map.of(), null, noRoom);
    }
  }

  /** Throws UnavailableException unless the sections of an hour can be merged. */
  void refuseImmovable(ClassHour of) {
    if (!mayMove(of)) {
      throw new UnavailableException(
          of
              + ": a part of it is missing or damaged, so its page files cannot be rewritten;"
              + " restore it, repair it with check --repair, or drop the hour");
    }
  }

  MergePlanner planner() {
    return planner;
  }

  private static BooleanSupplier overIn(long nanos) {
    long beganNanos = System.nanoTime();
    return () -> System.nanoTime() - beganNanos > nanos;
  }

  /**
   * Rewrites files in which most bytes are dead, and those that have bytes of deleted hours for a
   * day. Then their bytes are free. A failure is logged. The time is limited; the next call goes on
   * with other files.
   */
  public void rewriteDead() {
    int nowHour = clock.hour();
    BooleanSupplier over = overIn(PASS_NANOS_MAX);
    for (FileUse file : fromLastTried()) {
      if (over.getAsBoolean() || deadline.isClosing()) {
        return;
      }
      if (isDue(file, nowHour)) {
        lastTried = file.number();
        var unused = empty(file, over);
      }
    }
  }

  private boolean isDue(FileUse file, int nowHour) {
    return file.goneBytes() > file.liveBytes()
        || file.goneBytes() > 0 && nowHour - file.goneSince() >= GONE_HOURS_MAX
        || file.deadBytes() > file.liveBytes() && isSealed(file)
        || file.deadBytes() > DEAD_FACTOR * file.liveBytes();
  }

  /** Whether no seal will merge the sections of a file, and so leave it without any. */
  private boolean isSealed(FileUse file) {
    return file.inUse().stream().allMatch(of -> hours.isSealed(of.hour()));
  }

  /** The bytes of deleted hours in files that there is room to rewrite, and that can be read. */
  long leavingBytes() {
    return files.catalogue().files().stream()
        .filter(file -> file.goneBytes() > 0 && space.mayFree(file.liveBytes()))
        .filter(file -> file.inUse().stream().allMatch(this::mayMove))
        .mapToLong(FileUse::goneBytes)
        .sum();
  }

  /** Whether an hour can be merged: its missing parts may be restored. */
  private boolean mayMove(ClassHour of) {
    return !damaged.contains(of) && !hours.isIncomplete(of.hour());
  }

  /** Returns all files, those after the last tried one first. */
  private List<FileUse> fromLastTried() {
    List<FileUse> all = files.catalogue().files();
    List<FileUse> ordered = new ArrayList<>(all);
    ordered.removeIf(file -> file.number() <= lastTried);
    all.stream().filter(file -> file.number() <= lastTried).forEach(ordered::add);
    return ordered;
  }

  private MergeResult merge(List<SectionMerge> merges, LongConsumer room, BooleanSupplier over) {
    List<SectionMerge> waiting = new ArrayList<>(merges);
    waiting.removeIf(merge -> !mayMove(merge.of()));
    waiting.sort(SectionMerge.ORDER);
    Map<ClassHour, Long> withoutRoom = new LinkedHashMap<>();
    String failure = null;
    String noRoom = null;
    try {
      int done = -1;
      while (!waiting.isEmpty() && done != 0 && !(done > 0 && over.getAsBoolean())) {
        String reason = leaveWithoutRoom(waiting, room, withoutRoom);
        noRoom = reason == null ? noRoom : reason;
        done = waiting.isEmpty() ? 0 : mergeNext(waiting, room);
        waiting.subList(0, done).clear();
      }
      files.deleteUnused();
    } catch (IOException | RuntimeException e) {
      logger.warn("page files cannot be merged, tried again later: {}", e.toString());
      failure = FileProblem.of(e);
    }
    if (noRoom != null) {
      logger.warn("some page files cannot be merged, tried again later: {}", noRoom);
    }
    Set<ClassHour> left = waiting.stream().map(SectionMerge::of).collect(Collectors.toSet());
    return new MergeResult(left, withoutRoom, failure, noRoom);
  }

  /**
   * Leaves out the first merges until there is room for one, since smaller ones may follow, which
   * free bytes. Returns why; null if there is room for the first.
   */
  private static @Nullable String leaveWithoutRoom(
      List<SectionMerge> waiting, LongConsumer room, Map<ClassHour, Long> withoutRoom) {
    String reason = null;
    long bytesMax = Long.MAX_VALUE;
    int first = 0;
    for (boolean hasRoom = false; !hasRoom && first < waiting.size(); ) {
      SectionMerge merge = waiting.get(first);
      if (merge.bytes() < bytesMax) {
        try {
          room.accept(merge.bytes());
          hasRoom = true;
        } catch (UnavailableException e) {
          reason = FileProblem.of(e);
          bytesMax = merge.bytes();
        }
      }
      if (!hasRoom) {
        withoutRoom.merge(merge.of(), merge.bytes(), Math::min);
        first++;
      }
    }
    waiting.subList(0, first).clear();
    return reason;
  }

  /**
   * Writes one file, of the first of the waiting merges, for which there is room, and those that
   * may share it. Returns the number of merges that it has; 0 if the store closes.
   */
  private int mergeNext(List<SectionMerge> waiting, LongConsumer room) throws IOException {
    SectionMerge first = waiting.get(0);
    List<WrittenMerge> copied = new ArrayList<>();
    List<ClassHour> emptied = new ArrayList<>();
    Map<ClassHour, PinnedHour> pinned = new HashMap<>();
    int done = 0;
    try (PageCommit commit = files.beginCommit()) {
      for (SectionMerge merge : waiting) {
        if (deadline.isClosing()) {
          return 0; // the copies are not listed, so they have no effect
        }
        if (done > 0 && (isFull(commit, pinned) || !first.mayShareWith(merge))
            || pinned.containsKey(merge.of())) { // a commit has one section of an hour
          break;
        }
        try {
          room.accept(merge.bytes());
        } catch (UnavailableException e) {
          if (done == 0) {
            throw e;
          }
          break; // the copies so far free bytes, which this one may use later
        }
        copy(commit, merge, pinned, copied, emptied);
        done++;
      }
      commit.commit();
      copied.forEach(WrittenMerge::show); // before any file that the copies replace is deleted
    } finally {
      pinned.values().forEach(PinnedHour::close);
    }
    forget(emptied);
    return done;
  }

  private static boolean isFull(PageCommit commit, Map<ClassHour, PinnedHour> pinned) {
    return commit.bytes() >= FILE_BYTES_MAX
        || pinned.size() >= HOURS_MAX
        || pinned.values().stream().mapToLong(pin -> pin.state().entries()).sum()
            >= PINNED_ENTRIES_MAX;
  }

  /** Copies the sections of an hour. If they cannot be read, they stay, and the others go on. */
  private void copy(
      PageCommit commit,
      SectionMerge merge,
      Map<ClassHour, PinnedHour> pinned,
      List<WrittenMerge> copied,
      List<ClassHour> emptied)
      throws IOException {
    HourPages pages = null;
    try {
      PinnedHour pin = hours.pin(merge.of().hour());
      pinned.put(merge.of(), pin);
      LoadedHour state = pin.state();
      pages = state.pages(merge.of().retentionClass());
      if (pages != null) {
        SectionCopy copy =
            SectionCopy.of(
                pages, merge.files(), (key, made) -> isCurrent(state.rowIfPresent(key), made));
        if (copy.isEmpty() && hasNoOtherSections(merge) && pages.lost().isEmpty()) {
          emptied.add(merge.of());
        } else {
          copied.add(new WrittenMerge(pages, state, copy.writeTo(commit)));
        }
      }
    } catch (CorruptException | UnavailableException e) {
      logger.warn("{}: its pages cannot be merged: {}", merge.of(), e.getMessage());
      if (e instanceof CorruptException && !(e.getCause() instanceof IOException)) {
        damaged.add(merge.of()); // a disk that cannot be read may be able to later
      }
      if (pages != null) {
        commit.leaveOut(pages);
      }
    }
  }

  /** Whether a manifest is that of its row now. The marks of a row never return to earlier ones. */
  static boolean isCurrent(@Nullable Row row, Manifest made) {
    return row != null && row.content().isSealed() && row.content().hasManifestOf(made);
  }

  private boolean hasNoOtherSections(SectionMerge merge) {
    return files.catalogue().sections(merge.of()).stream()
        .allMatch(section -> merge.files().contains(section.file()));
  }

  /** Ends hours of a class whose rows all moved to another class. */
  private void forget(List<ClassHour> emptied) throws IOException {
    int since = clock.hour();
    files
        .catalogue()
        .gone(emptied.stream().map(of -> new CatalogueRecord.Gone(of, since)).toList());
    emptied.forEach(hours::forgetPages);
  }
}
