package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.pages.PageFiles;
import hourglass.store.embedded.rows.Hours;
import hourglass.store.embedded.rows.LoadedHour;
import hourglass.store.embedded.rows.Marks;
import hourglass.store.embedded.rows.Row;
import hourglass.store.embedded.rows.RowContent;
import hourglass.store.embedded.rows.RowContentReader;
import hourglass.store.embedded.rows.RowContentScan;
import hourglass.store.embedded.rows.RowPart;
import hourglass.store.embedded.rows.RowTable;
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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals rows whose hour has been over for a while and that stayed quiet: their pages are put in
 * order, read through once (which also checks every one of them), and accounted for in a manifest.
 * A late write reopens a row by its mark alone. Not thread-safe.
 */
public final class RowSealer {
  private static final Logger log = LoggerFactory.getLogger(RowSealer.class);

  /** Hours looked at in one pass: a store with years of them is gone through bit by bit. */
  private static final int HOURS_A_PASS = 64;

  /** After so long others of the pages' thread have their turn: flushes must not wait for it. */
  private static final long PASS_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  /** Rows whose new pages, and whose manifests, are made durable together; or so many bytes. */
  private static final int BATCH_ROWS = 512;

  private static final long BATCH_BYTES = 16L << 20;

  private final RowTable table;
  private final Hours hours;
  private final RowContentScan scan;
  private final Compactor compactor;
  private final Function<String, String> retentionClassOfType;
  private final Clock clock;
  private final Duration sealAfter;
  private final CloseDeadline stop;

  /** Whether the pass at hand left an hour in the midst of its rows. */
  private boolean cutShort;

  public RowSealer(
      RowTable table,
      Hours hours,
      RowContentReader reader,
      Compactor compactor,
      Function<String, String> retentionClassOfType,
      Clock clock,
      Duration sealAfter,
      CloseDeadline stop) {
    this.stop = stop;
    this.table = table;
    this.hours = hours;
    this.scan = new RowContentScan(reader);
    this.compactor = compactor;
    this.retentionClassOfType = retentionClassOfType;
    this.clock = clock;
    this.sealAfter = sealAfter;
  }

  /**
   * Seals what is due, newest hours first, for a while.
   *
   * @return whether it went through all it had to; else it is to be called again, after what waits
   */
  public boolean pass() {
    cutShort = false;
    long beganNanos = System.nanoTime();
    long dueBefore = clock.millis() - sealAfter.toMillis();
    List<Hour> candidates = new ArrayList<>(hours.known(Hour.FIRST, Hour.LAST));
    Collections.reverse(candidates);
    BooleanSupplier over =
        () -> stop.isClosing() || System.nanoTime() - beganNanos > PASS_NANOS_MAX;
    int looked = 0;
    for (Hour hour : candidates) {
      if (hour.end().toEpochMilli() <= dueBefore && isToSeal(hour) && looked++ < HOURS_A_PASS) {
        if (over.getAsBoolean()) {
          return false;
        }
        trySealing(hour, dueBefore, over);
      }
    }
    return !cutShort;
  }

  /** Not where something is missing: it may be put back. */
  private boolean isToSeal(Hour hour) {
    return !table.isSealed(hour) && !hours.isIncomplete(hour);
  }

  /** One hour that cannot be sealed keeps no other from it. */
  private void trySealing(Hour hour, long dueBefore, BooleanSupplier over) {
    try {
      sealHour(hour, dueBefore, over);
    } catch (IOException | UncheckedIOException | UnavailableException e) {
      table.setSealed(hour, false);
      log.warn("{}: cannot be sealed, tried again later: {}", hour, e.toString());
    } catch (RuntimeException e) {
      log.warn("{}: cannot be sealed, not tried again before it is written to", hour, e);
    }
  }

  private void sealHour(Hour hour, long dueBefore, BooleanSupplier over) throws IOException {
    table.setSealed(hour, true); // before looking: a write meanwhile takes it out again
    boolean all =
        hours.with(
            hour,
            state -> {
              try {
                return seal(state, dueBefore, over);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    if (!all) {
      table.setSealed(hour, false);
    }
  }

  /** Whether all rows of the hour are sealed now. */
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
    hours.noteDiskBytes(state);
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

  /** Whether these rows are sealed now; they share the forces of a disk. */
  private boolean seal(LoadedHour state, List<Row> rows) throws IOException {
    Map<PageFiles, List<Row>> byFiles = new LinkedHashMap<>();
    for (Row row : rows) {
      String retentionClass = retentionClassOfType.apply(row.key().type());
      byFiles
          .computeIfAbsent(hours.filesFor(state, retentionClass), k -> new ArrayList<>())
          .add(row);
    }
    for (Map.Entry<PageFiles, List<Row>> each : byFiles.entrySet()) {
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
      ManifestBuilder builder = new ManifestBuilder(row.key().hour());
      scan.scan(row.key(), content, builder::add);
      Manifest manifest = builder.build(Marks.of(content));
      if (manifest != null) {
        manifests.put(row.key(), manifest);
        made.put(row, manifest);
      }
    }
    files.commitSealed(manifests);
    made.forEach((row, manifest) -> row.update(now -> now.sealed(manifest)));
  }
}
