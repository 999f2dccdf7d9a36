package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PageSection.Kind;
import hourglass.store.embedded.files.SectionCopy;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PinnedHour;
import hourglass.store.embedded.memory.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
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

  /** The sections of an hour and class from which on small ones are merged. */
  private static final int SECTIONS_MAX = 16;

  /** The least number of small sections that are worth a merge. */
  private static final int SECTIONS_MIN = 8;

  /** A section of so many times the bytes of all newer ones is left as it is. */
  private static final int LARGE_FACTOR = 4;

  /** The size from which on a merged file receives no more hours. */
  private static final long FILE_BYTES_MAX = 256L << 20;

  /** The most hours that are in memory for one merge. */
  private static final int HOURS_MAX = 2_048;

  /** The part of their retention, as a divisor, by which the hours of a file may differ. */
  private static final int SPAN_SHARE = 24;

  /** The hours after which a deleted hour's bytes go, even if most of their file is in use. */
  private static final int GONE_HOURS_MAX = 24;

  /** The longest time of a pass over files, since flushes wait for the same thread. */
  private static final long PASS_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  private final Hours hours;
  private final PageFiles files;

  /** The hours with new sections, which may have many small ones now. */
  private final Set<ClassHour> grown = new LinkedHashSet<>();

  /** The newest sections of an hour, from a file on. */
  private record Merge(ClassHour of, long fromFile) {
    private static final Comparator<Merge> ORDER =
        Comparator.comparing((Merge merge) -> merge.of().retentionClass())
            .thenComparing(merge -> merge.of().hour());
  }

  /** A merge that was written, and the copies of its pages by number. */
  private record Copied(HourPages pages, LoadedHour state, Map<Long, PageMeta> copies) {}

  public SectionMerger(Hours hours, PageFiles files) {
    this.hours = hours;
    this.files = files;
  }

  /** Takes note of an hour that has another section, for the next {@link #mergeSmall}. */
  void grew(ClassHour of) {
    grown.add(of);
  }

  /** Merges small sections of hours that have many. A failure is logged. */
  void mergeSmall() {
    List<Merge> merges = new ArrayList<>();
    for (ClassHour of : grown) {
      List<SectionInFile> sections = files.catalogue().sections(of);
      int from = sections.size() < SECTIONS_MAX ? sections.size() : smallFrom(sections);
      if (sections.size() - from >= SECTIONS_MIN) {
        merges.add(new Merge(of, sections.get(from).file()));
      }
    }
    grown.clear();
    quietly(merges);
  }

  /** Returns the first of the newest sections that are no larger than those after them together. */
  private static int smallFrom(List<SectionInFile> sections) {
    int from = sections.size() - 1;
    long newer = sections.get(from).liveBytes();
    while (from > 0 && sections.get(from - 1).liveBytes() <= newer) {
      from--;
      newer += sections.get(from).liveBytes();
    }
    return from;
  }

  /** Merges the sections of hours that are sealed now. A failure is logged. */
  void mergeSealed(Collection<ClassHour> sealed) {
    List<Merge> merges = new ArrayList<>();
    for (ClassHour of : sealed) {
      Merge merge = mergeSealed(of);
      if (merge != null) {
        merges.add(merge);
      }
    }
    quietly(merges);
  }

  /**
   * Returns the merge of all sections that share a file with other classes, together with older
   * ones unless those are large; null if there is none.
   */
  private @Nullable Merge mergeSealed(ClassHour of) {
    List<SectionInFile> sections = files.catalogue().sections(of);
    int from = 0;
    while (from < sections.size() && sections.get(from).section().kind() == Kind.MERGED) {
      from++;
    }
    long newer =
        sections.subList(from, sections.size()).stream().mapToLong(SectionInFile::liveBytes).sum();
    while (from > 0 && isWorthIt(sections.get(from - 1), newer)) {
      from--;
      newer += sections.get(from).liveBytes();
    }
    boolean isMergedAlready =
        from == sections.size() - 1
            && sections.get(from).section().kind() == Kind.MERGED
            && sections.get(from).liveBytes() == sections.get(from).section().bytes();
    return from == sections.size() || isMergedAlready
        ? null
        : new Merge(of, sections.get(from).file());
  }

  private static boolean isWorthIt(SectionInFile section, long newerBytes) {
    long deadBytes = section.section().bytes() - section.liveBytes();
    return section.liveBytes() <= LARGE_FACTOR * (newerBytes + deadBytes);
  }

  /**
   * Rewrites files in which most bytes are dead, and those that have bytes of deleted hours for a
   * day. Then their bytes are free. A failure is logged.
   *
   * @param nowHour the present hour since 1970
   */
  public void rewriteDead(int nowHour) {
    rewrite(
        file ->
            file.goneBytes() > file.liveBytes()
                || file.goneBytes() > 0 && nowHour - file.goneSince() >= GONE_HOURS_MAX
                || file.deadBytes() > file.liveBytes() && isSealed(file));
  }

  /** Whether no seal will merge the sections of a file, and so leave it without any. */
  private boolean isSealed(FileUse file) {
    return file.inUse().stream().allMatch(of -> hours.isSealed(of.hour()));
  }

  /** Rewrites all files that have bytes of deleted hours. A failure is logged. */
  public void rewriteGone() {
    rewrite(file -> file.goneBytes() > 0);
  }

  private void rewrite(Predicate<FileUse> isDue) {
    long beganNanos = System.nanoTime();
    for (FileUse file : files.catalogue().files()) {
      if (isDue.test(file)) {
        quietly(file.inUse().stream().map(of -> new Merge(of, file.number())).toList());
      }
      if (System.nanoTime() - beganNanos > PASS_NANOS_MAX) {
        return;
      }
    }
  }

  private void quietly(List<Merge> merges) {
    try {
      merge(merges);
      files.deleteUnused();
    } catch (IOException | RuntimeException e) {
      logger.warn("page files cannot be merged, tried again later: {}", e.toString());
    }
  }

  private void merge(List<Merge> merges) throws IOException {
    Deque<Merge> waiting = new ArrayDeque<>();
    merges.stream()
        .filter(merge -> !hours.isIncomplete(merge.of().hour())) // its parts may be restored
        .sorted(Merge.ORDER)
        .forEach(waiting::add);
    while (!waiting.isEmpty()) {
      mergeNext(waiting);
    }
  }

  /** Writes one file, of the first of the waiting merges and those that may share it. */
  private void mergeNext(Deque<Merge> waiting) throws IOException {
    ClassHour first = waiting.element().of();
    Map<ClassHour, Copied> copied = new LinkedHashMap<>();
    List<PinnedHour> pinned = new ArrayList<>();
    try (PageCommit commit = files.beginCommit()) {
      while (!waiting.isEmpty()
          && mayShare(first, waiting.element().of())
          && commit.bytes() < FILE_BYTES_MAX
          && pinned.size() < HOURS_MAX) {
        copy(commit, waiting.remove(), pinned, copied);
      }
      commit.commit();
      copied.values().forEach(SectionMerger::show);
    } finally {
      pinned.forEach(PinnedHour::close);
    }
  }

  private static boolean mayShare(ClassHour first, ClassHour next) {
    Duration keep = StoreFiles.retentionOf(first.retentionClass());
    return first.retentionClass().equals(next.retentionClass())
        && (keep == null
            || next.hour().epochHours() - first.hour().epochHours() <= keep.toHours() / SPAN_SHARE);
  }

  /** Copies the sections of an hour. If they cannot be read, they stay, and the others go on. */
  private void copy(
      PageCommit commit, Merge merge, List<PinnedHour> pinned, Map<ClassHour, Copied> copied)
      throws IOException {
    Hour hour = merge.of().hour();
    HourPages pages = null;
    try {
      PinnedHour pin = hours.pin(hour);
      pinned.add(pin);
      pages = pin.state().pages(merge.of().retentionClass());
      if (pages != null) {
        Map<Long, PageMeta> copies = SectionCopy.copy(commit, pages, merge.fromFile());
        copied.put(merge.of(), new Copied(pages, pin.state(), copies));
      }
    } catch (CorruptException | UnavailableException e) {
      logger.warn("{}: its pages cannot be merged: {}", merge.of(), e.getMessage());
      if (pages != null) {
        commit.leaveOut(pages);
      }
    }
  }

  private static void show(Copied copied) {
    Set<Row> rows = new HashSet<>();
    copied.copies().values().forEach(page -> rows.add(copied.state().row(page.row())));
    rows.forEach(row -> row.update(now -> now.moved(copied.pages(), copied.copies())));
  }
}
