package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.store.ColumnRange;
import hourglass.store.Manifest;
import hourglass.store.ManifestBuilder;
import hourglass.store.RowEntry;
import hourglass.store.cassandra.driver.Failures;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals rows whose hour has been over for a while and that stayed quiet: their columns are read
 * once and accounted for in a manifest, under the marks that stood before they were read.
 *
 * <p>Every process does this, each in an order of its own, and each looks again whether a row needs
 * it just before; two that seal one row at a time write the same. Blocks; used by one thread.
 */
final class Sealer {
  private static final Logger log = LoggerFactory.getLogger(Sealer.class);

  /** Hours looked at in one pass, so that years of them are gone through bit by bit. */
  private static final int HOURS_A_PASS = 64;

  private final Directory directory;
  private final Clock clock;
  private final Duration sealAfter;
  private final StoreMetrics metrics;

  /** Hours found with every row sealed. */
  private final Set<Hour> done = new HashSet<>();

  /** Where the search goes on that finds late writes of others to hours that were done. */
  private Hour again = Hour.LAST;

  Sealer(Directory directory, Clock clock, Duration sealAfter, StoreMetrics metrics) {
    this.directory = directory;
    this.clock = clock;
    this.sealAfter = sealAfter;
    this.metrics = metrics;
  }

  /** Seals what is due: the hours not done yet, newest first, and some of those that were. */
  void pass(Tables tables) {
    long dueBefore = clock.millis() - sealAfter.toMillis();
    List<Hour> due = new ArrayList<>();
    for (Hour hour : await(tables.hours().hours(Hour.FIRST, Hour.LAST))) {
      if (hour.end().toEpochMilli() <= dueBefore) {
        due.add(hour);
      }
    }
    Collections.reverse(due);
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
    fresh.forEach(hour -> trySealing(tables, hour, dueBefore));
    old.forEach(hour -> trySealing(tables, hour, dueBefore));
  }

  /** One hour that cannot be sealed keeps no other from it. */
  private void trySealing(Tables tables, Hour hour, long dueBefore) {
    try {
      if (sealHour(tables, hour, dueBefore)) {
        done.add(hour);
      } else {
        done.remove(hour);
      }
    } catch (RuntimeException e) {
      done.remove(hour);
      log.warn("{}: cannot be sealed now, tried again: {}", hour, e.toString());
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
      return true; // of a write that failed; should one come, it puts a mark
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
    RetentionClass longest = null;
    for (String name : classes) {
      RetentionClass each = RetentionClass.parse(name);
      if (longest == null || !each.ends() || longest.ends() && each.seconds() > longest.seconds()) {
        longest = each;
      }
    }
    return Objects.requireNonNull(longest);
  }

  private static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw Failures.of(e);
    }
  }
}
