package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.NewSection;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowContent;
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals quiet rows some time after their hour. A seal orders and checks the pages, writes a
 * manifest, and merges the sections of the hour. A late write reopens the row by changing its mark.
 * Not thread-safe.
 */
public final class RowSealer {
  private static final Logger logger = LoggerFactory.getLogger(RowSealer.class);

  /** The most hours that a pass checks; a store with years of hours needs many passes. */
  private static final int HOURS_A_PASS = 1_024;

  /** The longest time of a pass, since flushes wait for the same thread. */
  private static final long PASS_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  private final Hours hours;
  private final PageFiles files;
  private final RowPartsReader reader;
  private final Compactor compactor;
  private final SectionMerger merger;
  private final SpaceGuard space;
  private final Clock clock;
  private final Duration sealAfter;
  private final CloseDeadline deadline;

  /** The hours that count as sealed until their merges have room for so many bytes. */
  private final Map<Hour, Long> withoutRoom = new HashMap<>();

  public RowSealer(
      Hours hours,
      PageFiles files,
      RowPartsReader reader,
      Compactor compactor,
      SectionMerger merger,
      SpaceGuard space,
      Clock clock,
      Duration sealAfter,
      CloseDeadline deadline) {
    this.hours = hours;
    this.files = files;
    this.reader = reader;
    this.compactor = compactor;
    this.merger = merger;
    this.space = space;
    this.clock = clock;
    this.sealAfter = sealAfter;
    this.deadline = deadline;
  }

  /** The end of a group of hours that were in memory together. */
  private record Group(boolean isWhole, boolean anySealed, boolean anyFailed, MergeResult merged) {
    boolean hasMore() {
      return !isWhole || !merged.waiting().isEmpty();
    }

    boolean hasFailed() {
      return anyFailed || merged.hasFailed();
    }
  }

  /**
   * Seals due hours, the newest first, for a limited time. If false, there is more to seal, after
   * waiting tasks. It is true after a failure: the rest is for the next turn. Hours whose merges
   * have no room are not due again before they have.
   */
  public boolean pass() throws IOException {
    long beganNanos = System.nanoTime();
    BooleanSupplier over =
        () -> deadline.isClosing() || System.nanoTime() - beganNanos > PASS_NANOS_MAX;
    List<Hour> due = due(clock.millis() - sealAfter.toMillis());
    Iterator<Hour> next = due.iterator();
    boolean anySealed = false;
    boolean hasMore = false;
    boolean hasFailed = false;
    while (next.hasNext() && !hasMore && !hasFailed) {
      Group group = sealGroup(next, over);
      anySealed |= group.anySealed();
      hasMore = group.hasMore();
      hasFailed = group.hasFailed();
    }
    // There may be more hours, unless this pass made no progress.
    hasMore |= due.size() >= HOURS_A_PASS && anySealed;
    merger.mergeSmall();
    files.deleteUnused();
    return hasFailed || !hasMore;
  }

  /** Seals the next hours, as many as may be in memory together. */
  private Group sealGroup(Iterator<Hour> next, BooleanSupplier over) {
    List<HourSeal> begun = new ArrayList<>();
    try {
      boolean isWhole = seal(next, begun, over);
      boolean anySealed = begun.stream().anyMatch(HourSeal::isSealed);
      // A damaged hour is not tried again; any other failure, such as a full disk, would be.
      boolean anyFailed = begun.stream().anyMatch(each -> each.hasFailed() && !each.isDamaged());
      return new Group(isWhole, anySealed, anyFailed, mergeSealed(begun));
    } finally {
      begun.forEach(HourSeal::end);
    }
  }

  private List<Hour> due(long dueBefore) {
    List<Hour> newestFirst = new ArrayList<>(hours.known(Hour.FIRST, Hour.LAST));
    Collections.reverse(newestFirst);
    resumeMerges(newestFirst);
    return newestFirst.stream()
        .filter(hour -> hour.end().toEpochMilli() <= dueBefore)
        .filter(hour -> !hours.isSealed(hour))
        .filter(hour -> !hours.isIncomplete(hour)) // its missing parts may be restored
        .limit(HOURS_A_PASS)
        .toList();
  }

  /** Lets hours be due again for whose merges there is room now. */
  private void resumeMerges(Collection<Hour> known) {
    double freeBytes = space.freeBytes();
    withoutRoom.keySet().retainAll(new HashSet<>(known));
    withoutRoom
        .entrySet()
        .removeIf(
            each -> {
              boolean hasRoom = !(each.getValue() > freeBytes); // also if that is not known
              if (hasRoom) {
                hours.setSealed(each.getKey(), false);
              }
              return hasRoom;
            });
  }

  /** Seals hours in batches of rows; false if the time was over before. */
  private boolean seal(Iterator<Hour> next, List<HourSeal> begun, BooleanSupplier over) {
    SealBatch batch = new SealBatch();
    long entries = 0;
    while (next.hasNext() && entries < SectionMerger.PINNED_ENTRIES_MAX) {
      if (over.getAsBoolean()) {
        seal(batch);
        return false;
      }
      HourSeal each = begin(next.next());
      if (each != null) {
        begun.add(each);
        entries += each.state().entries();
        while (each.hasMore()) {
          batch.add(each);
          if (batch.isFull()) {
            seal(batch);
            batch = new SealBatch();
            if (over.getAsBoolean() && each.hasMore()) {
              return false;
            }
          }
        }
      }
    }
    seal(batch);
    return true;
  }

  private @Nullable HourSeal begin(Hour hour) {
    hours.setSealed(hour, true); // set before the check: a concurrent write removes it
    try {
      return new HourSeal(hours.pin(hour), clock.millis() - sealAfter.toMillis());
    } catch (RuntimeException e) {
      failed(hour, e);
      return null;
    }
  }

  private static boolean isTransient(RuntimeException e) {
    return e instanceof UncheckedIOException || e instanceof UnavailableException;
  }

  private void failed(Hour hour, RuntimeException e) {
    if (isTransient(e)) {
      hours.setSealed(hour, false);
      logger.warn("{}: cannot be sealed, tried again later: {}", hour, e.toString());
    } else {
      logger.warn("{}: cannot be sealed, not tried again before it is written to", hour, e);
    }
  }

  /**
   * Seals rows, all of which share the forces. A failed write fails all of their hours, as does a
   * disk without room: the reserve is for pages of accepted columns.
   */
  private void seal(SealBatch batch) {
    if (batch.hours().isEmpty()) {
      return;
    }
    try {
      space.check(batch.payloadBytes());
      compact(batch);
      writeManifests(batch);
    } catch (IOException | UnavailableException e) {
      logger.warn("rows cannot be sealed, tried again later: {}", e.toString());
      for (HourSeal each : batch.hours()) {
        each.fail();
        hours.setSealed(each.hour(), false);
      }
    }
  }

  private void compact(SealBatch batch) throws IOException {
    List<Compactor.Replacement> replaced = new ArrayList<>();
    try (PageCommit commit = files.beginCommit()) {
      batch.forEach(
          (each, rows) -> {
            List<Row> worthIt =
                rows.stream().filter(row -> Compactor.isWorthIt(row.content())).toList();
            List<Compactor.Replacement> ofHour = new ArrayList<>();
            unlessDamaged(
                commit,
                each,
                () -> {
                  for (var part : hours.byPages(each.state(), worthIt).entrySet()) {
                    List<Compactor.Rewrite> rewrites =
                        part.getValue().stream().map(Compactor.Rewrite::of).toList();
                    ofHour.addAll(compactor.rewrite(commit, part.getKey(), rewrites));
                  }
                });
            if (!each.hasFailed()) {
              replaced.addAll(ofHour);
            }
          });
      commit.commit();
    }
    replaced.forEach(Compactor.Replacement::show);
  }

  private void writeManifests(SealBatch batch) throws IOException {
    Map<Row, Manifest> made = new LinkedHashMap<>();
    try (PageCommit commit = files.beginCommit()) {
      batch.forEach(
          (each, rows) -> {
            Map<Row, Manifest> ofHour = new LinkedHashMap<>();
            unlessDamaged(commit, each, () -> writeManifests(commit, each, rows, ofHour));
            if (!each.hasFailed()) {
              made.putAll(ofHour);
            }
          });
      commit.commit();
    }
    made.forEach((row, manifest) -> row.update(now -> now.sealed(manifest)));
  }

  private void writeManifests(
      PageCommit commit, HourSeal each, List<Row> rows, Map<Row, Manifest> made)
      throws IOException {
    for (Map.Entry<HourPages, List<Row>> part : hours.byPages(each.state(), rows).entrySet()) {
      for (Row row : part.getValue()) {
        RowContent content = row.content();
        if (!content.open().isEmpty()) {
          continue; // more columns of the same group of the log may follow, under the same mark
        }
        ManifestBuilder builder = new ManifestBuilder(row.key().hour());
        reader.scan(row.key(), content.rowParts(), builder::add);
        Manifest manifest = builder.build(content.marks());
        if (manifest != null) {
          NewSection section = commit.section(part.getKey());
          section.seal(row.key(), manifest);
          made.put(row, manifest);
        }
      }
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Runs a step for an hour. If its pages cannot be read, the commit goes on without it. */
  private void unlessDamaged(PageCommit commit, HourSeal each, Step step) throws IOException {
    if (each.hasFailed()) {
      return;
    }
    try {
      step.run();
    } catch (RuntimeException e) {
      each.state().pages().forEach(commit::leaveOut);
      if (isTransient(e)) {
        each.fail();
      } else {
        each.foundDamage();
      }
      failed(each.hour(), e);
    }
  }

  /**
   * Merges the sections of sealed hours, and of those with damaged pages, which no seal will merge.
   * Hours that are left are tried again, those without room once there is some.
   */
  private MergeResult mergeSealed(List<HourSeal> begun) {
    List<ClassHour> sealed = new ArrayList<>();
    for (HourSeal each : begun) {
      List<ClassHour> ofHour = each.state().pages().stream().map(HourPages::of).toList();
      if (each.isSealed() || each.isDamaged()) {
        sealed.addAll(ofHour);
      } else if (!each.hasFailed()) {
        hours.setSealed(each.hour(), false);
        ofHour.forEach(merger::grew);
      }
    }
    MergeResult merged = merger.mergeSealed(sealed);
    begun.forEach(each -> withoutRoom.remove(each.hour()));
    merged.withoutRoom().forEach((of, bytes) -> withoutRoom.merge(of.hour(), bytes, Math::min));
    merged.waiting().forEach(of -> hours.setSealed(of.hour(), false));
    return merged;
  }
}
