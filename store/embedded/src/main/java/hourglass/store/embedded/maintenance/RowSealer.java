package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowContent;
import hourglass.store.embedded.memory.RowPart;
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals quiet rows some time after their hour. A seal orders and checks the pages, and writes a
 * manifest. A late write reopens the row by changing its mark. Not thread-safe.
 */
public final class RowSealer {
  private static final Logger logger = LoggerFactory.getLogger(RowSealer.class);

  /** The most hours that a pass checks; a store with years of hours needs many passes. */
  private static final int HOURS_A_PASS = 64;

  /** The longest time of a pass, since flushes wait for the same thread. */
  private static final long PASS_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  /** The rows that share the forces of their pages and manifests; the next limits their bytes. */
  private static final int BATCH_ROWS = 512;

  private static final long BATCH_BYTES = 16L << 20;

  private final Hours hours;
  private final RowPartsReader reader;
  private final Compactor compactor;
  private final Clock clock;
  private final Duration sealAfter;
  private final CloseDeadline deadline;

  private boolean cutShort;

  public RowSealer(
      Hours hours,
      RowPartsReader reader,
      Compactor compactor,
      Clock clock,
      Duration sealAfter,
      CloseDeadline deadline) {
    this.deadline = deadline;
    this.hours = hours;
    this.reader = reader;
    this.compactor = compactor;
    this.clock = clock;
    this.sealAfter = sealAfter;
  }

  /**
   * Seals due hours, the newest first, for a limited time. If false, there is more to seal, after
   * waiting tasks.
   */
  public boolean pass() {
    cutShort = false;
    long beganNanos = System.nanoTime();
    long dueBefore = clock.millis() - sealAfter.toMillis();
    List<Hour> candidates = new ArrayList<>(hours.known(Hour.FIRST, Hour.LAST));
    Collections.reverse(candidates);
    BooleanSupplier over =
        () -> deadline.isClosing() || System.nanoTime() - beganNanos > PASS_NANOS_MAX;
    int checked = 0;
    for (Hour hour : candidates) {
      if (hour.end().toEpochMilli() <= dueBefore
          && !hours.isSealed(hour)
          && !hours.isIncomplete(hour) // its missing parts may be restored
          && checked++ < HOURS_A_PASS) {
        if (over.getAsBoolean()) {
          return false;
        }
        sealHour(hour, dueBefore, over);
      }
    }
    return !cutShort;
  }

  /** Seals the quiet rows of an hour. A failure does not affect other hours. */
  private void sealHour(Hour hour, long dueBefore, BooleanSupplier over) {
    hours.setSealed(hour, true); // set before the check: a concurrent write removes it
    try {
      if (!hours.with(hour, state -> seal(state, dueBefore, over))) {
        hours.setSealed(hour, false);
      }
    } catch (IOException | UncheckedIOException | UnavailableException e) {
      hours.setSealed(hour, false);
      logger.warn("{}: cannot be sealed, tried again later: {}", hour, e.toString());
    } catch (RuntimeException e) {
      logger.warn("{}: cannot be sealed, not tried again before it is written to", hour, e);
    }
  }

  private boolean seal(LoadedHour state, long dueBefore, BooleanSupplier over) throws IOException {
    boolean sealed = true;
    List<Row> due = new ArrayList<>();
    for (Row row : state.rows()) {
      if (!row.content().isSealed()) {
        boolean quiet = row.content().open().isEmpty() && row.lastWriteMillis() <= dueBefore;
        sealed &= quiet;
        if (quiet) {
          due.add(row);
        }
      }
    }
    for (int from = 0; from < due.size(); ) {
      int to = batchEnd(due, from);
      sealed &= seal(state, due.subList(from, to));
      from = to;
      if (over.getAsBoolean() && from < due.size()) {
        cutShort = true;
        return false;
      }
    }
    for (PageFiles files : state.files()) {
      compactor.rewriteIfMostlyDead(state, files);
    }
    hours.recordDiskBytes(state);
    return sealed;
  }

  private static int batchEnd(List<Row> rows, int from) {
    long bytes = 0;
    int to = from;
    while (to < rows.size() && to - from < BATCH_ROWS && bytes < BATCH_BYTES) {
      bytes += rows.get(to++).content().parts().mapToLong(RowPart::payloadBytes).sum();
    }
    return to;
  }

  /** Seals rows, all of which share the forces. */
  private boolean seal(LoadedHour state, List<Row> rows) throws IOException {
    for (Map.Entry<PageFiles, List<Row>> each : hours.byFiles(state, rows).entrySet()) {
      seal(each.getKey(), each.getValue());
    }
    return rows.stream().allMatch(row -> row.content().isSealed());
  }

  private void seal(PageFiles files, List<Row> rows) throws IOException {
    compactor.compact(
        rows.stream().filter(row -> Compactor.isWorthIt(row.content())).toList(), files);
    Map<RowKey, Manifest> manifests = new LinkedHashMap<>();
    Map<Row, Manifest> made = new LinkedHashMap<>();
    for (Row row : rows) {
      RowContent content = row.content();
      if (!content.open().isEmpty()) {
        continue; // more columns of the same group of the log may follow, under the same mark
      }
      ManifestBuilder builder = new ManifestBuilder(row.key().hour());
      reader.scan(row.key(), content.rowParts(), builder::add);
      Manifest manifest = builder.build(content.marks());
      if (manifest != null) {
        manifests.put(row.key(), manifest);
        made.put(row, manifest);
      }
    }
    files.commitSealed(manifests);
    made.forEach((row, manifest) -> row.update(now -> now.sealed(manifest)));
  }
}
