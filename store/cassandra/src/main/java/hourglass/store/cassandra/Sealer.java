package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.store.ColumnRange;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.RowEntry;
import hourglass.store.cassandra.driver.DriverFailures;
import hourglass.store.cassandra.rows.RetentionClass;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals quiet rows whose hour ended a while ago. It reads their columns once and writes a manifest
 * under the marks from before the read.
 *
 * <p>Every process seals, in random order, and checks a row again just before. Two processes that
 * seal the same row write the same manifest. Blocks; used by one thread.
 */
final class Sealer {
  private static final Logger logger = LoggerFactory.getLogger(Sealer.class);

  /** Per pass, so that years of hours take many short passes. */
  private static final int HOURS_A_PASS = 64;

  private final Directory directory;
  private final Clock clock;
  private final Duration sealAfter;
  private final StoreMetrics metrics;

  private final Set<Hour> done = new HashSet<>();

  /** Where the next pass continues its search for late writes to done hours. */
  private Hour again = Hour.LAST;

  Sealer(Directory directory, Clock clock, Duration sealAfter, StoreMetrics metrics) {
    this.directory = directory;
    this.clock = clock;
    this.sealAfter = sealAfter;
    this.metrics = metrics;
  }

  /** First the newest hours not done yet, then some done hours again. */
  void pass(Tables tables) {
    long dueBefore = clock.millis() - sealAfter.toMillis();
    List<Hour> due =
        await(tables.hours().hours(Hour.FIRST, Hour.LAST)).stream()
            .filter(hour -> hour.end().toEpochMilli() <= dueBefore)
            .sorted(Comparator.reverseOrder())
            .toList();
    done.retainAll(due);
    List<Hour> fresh =
        due.stream().filter(hour -> !done.contains(hour)).limit(HOURS_A_PASS).toList();
    List<Hour> old =
        due.stream()
            .filter(done::contains)
            .filter(hour -> hour.compareTo(again) <= 0)
            .limit(HOURS_A_PASS)
            .toList();
    again = old.size() < HOURS_A_PASS ? Hour.LAST : old.get(old.size() - 1);
    Stream.concat(fresh.stream(), old.stream())
        .forEach(hour -> trySealing(tables, hour, dueBefore));
  }

  /** A failure in one hour does not affect the others. */
  private void trySealing(Tables tables, Hour hour, long dueBefore) {
    try {
      if (sealHour(tables, hour, dueBefore)) {
        done.add(hour);
      } else {
        done.remove(hour);
      }
    } catch (RuntimeException e) {
      done.remove(hour);
      logger.warn("{}: cannot be sealed now, tried again: {}", hour, e.toString());
    }
  }

  private boolean sealHour(Tables tables, Hour hour, long dueBefore) {
    List<Directory.Found> rows = new ArrayList<>(await(directory.rows(tables, hour)));
    Collections.shuffle(rows, ThreadLocalRandom.current());
    boolean all = true;
    for (Directory.Found row : rows) {
      all &= row.entry().sealed() || seal(tables, row, dueBefore);
    }
    return all;
  }

  private boolean seal(Tables tables, Directory.Found seen, long dueBefore) {
    Directory.Found row = await(directory.row(tables, seen.entry().row()));
    if (row == null || row.entry().sealed()) {
      return true;
    }
    if (row.lastWrittenMillis() > dueBefore) {
      return false;
    }
    RowEntry entry = row.entry();
    ManifestBuilder builder = new ManifestBuilder(entry.row().hour());
    await(
        new RowReader(tables)
            .scan(entry.row(), ColumnRange.of(entry.row().hour()), row.fact(), builder::add));
    Manifest manifest = builder.build(entry.marks());
    if (manifest == null) {
      return true; // left by a failed write; a new write adds a mark
    }
    await(
        tables
            .directory()
            .seal(
                entry.row(),
                row.generation(),
                manifest,
                Math.max(clock.millis() * 1000, row.manifestMicros() + 1),
                longestKept(row.fact().classes())));
    metrics.sealed();
    return true;
  }

  private static RetentionClass longestKept(Set<String> classes) {
    return classes.stream()
        .map(RetentionClass::parse)
        .max(Comparator.comparingInt(each -> each.ends() ? each.seconds() : Integer.MAX_VALUE))
        .orElseThrow();
  }

  private static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw DriverFailures.of(e);
    }
  }
}
