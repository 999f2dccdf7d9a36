package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.rows.PacksTable;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.cassandra.rows.Seal;
import hourglass.store.erasure.ErasedColumns;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals quiet rows whose hour ended a while ago ({@link SealWriter}). Once no reader can need the
 * replaced data any more, it is deleted.
 *
 * <p>Every process seals, in random order, and checks a row again just before. If two processes
 * seal a row, the greater number is valid, and the pages of the other are deleted. A process may
 * end at any step: pages that the directory does not name are not read. Blocks; used by one thread.
 */
final class Sealer {
  private static final Logger logger = LoggerFactory.getLogger(Sealer.class);

  /** The most hours of a pass, so that years of hours need many short passes. */
  private static final int HOURS_A_PASS = 64;

  /** The done hours of a pass, whose directories are read to find late writes, which are rare. */
  private static final int DONE_HOURS_A_PASS = 8;

  /**
   * The pause after a failure. A damaged row is read, and perhaps written, without effect; readers
   * can still read it.
   */
  private static final long FAILED_AGAIN_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The steps of a seal; the process may end after each of them. */
  enum Step {
    MARKS_READ,
    PAGES_WRITTEN,
    READ_BACK,
    SEAL_CHECKED,
    NAMED,
    PACKS_DELETED,
    PAGES_DELETED,
    NOTED_CLEAN
  }

  private final Directory directory;
  private final SealWriter sealWriter;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final Duration sealAfter;
  private final Duration replaceGrace;
  private final StoreMetrics metrics;
  private final Consumer<Step> onStep;

  private final Set<Hour> done = new HashSet<>();

  /** The seals with leftovers, and the times since when they are known. */
  private final Map<Hour, Map<RowKey, Known>> leftovers = new HashMap<>();

  private record Known(long seal, long sinceNanos) {}

  /** The times at which rows failed for another reason than an unavailable node. */
  private final Map<RowKey, Long> failed = new HashMap<>();

  /**
   * The hour before which the next pass looks for late writes to done hours; if null, it begins
   * with the newest.
   */
  private @Nullable Hour again;

  /**
   * Creates a sealer.
   *
   * @param erased the erased columns at the moment of the call, which pages do not contain
   * @param nanoTime must be monotonic
   */
  Sealer(
      Directory directory,
      Supplier<CompletionStage<ErasedColumns>> erased,
      Clock clock,
      LongSupplier nanoTime,
      CassandraOptions options,
      StoreMetrics metrics,
      Consumer<Step> onStep) {
    this.directory = directory;
    this.sealWriter = new SealWriter(directory, erased, onStep);
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.sealAfter = options.sealAfter();
    this.replaceGrace = options.replaceGrace();
    this.metrics = metrics;
    this.onStep = onStep;
  }

  /** Seals first the newest hours that are not done yet, then some done hours again. */
  void pass(Tables tables) {
    long dueBefore = clock.millis() - sealAfter.toMillis();
    NavigableSet<Hour> due = new TreeSet<>(Comparator.reverseOrder());
    await(tables.hours().hours(Hour.FIRST, Hour.LAST)).stream()
        .filter(hour -> hour.end().toEpochMilli() <= dueBefore)
        .forEach(due::add);
    done.retainAll(due);
    leftovers.keySet().retainAll(due);
    failed.keySet().removeIf(row -> !due.contains(row.hour()));
    List<Hour> fresh =
        due.stream().filter(hour -> !done.contains(hour)).limit(HOURS_A_PASS).toList();
    List<Hour> old =
        due.stream()
            .filter(done::contains)
            .filter(hour -> again == null || hour.compareTo(again) < 0)
            .limit(DONE_HOURS_A_PASS)
            .toList();
    again = old.size() < DONE_HOURS_A_PASS ? null : old.get(old.size() - 1);
    Stream.of(fresh, List.copyOf(leftovers.keySet()), old)
        .flatMap(List::stream)
        .distinct()
        .forEach(hour -> trySealing(tables, hour, dueBefore));
  }

  /** Seals an hour. A failure does not affect other hours. */
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

  /** Seals the due rows of an hour; false if some are left to be sealed soon. */
  private boolean sealHour(Tables tables, Hour hour, long dueBefore) {
    if (await(directory.isDropUnfinished(hour))) {
      return true; // a seal would have what the drop is to delete
    }
    List<Directory.Found> rows = new ArrayList<>(await(directory.rows(tables, hour)));
    Collections.shuffle(rows, ThreadLocalRandom.current());
    Map<RowKey, Known> known = leftovers.computeIfAbsent(hour, any -> new HashMap<>());
    known
        .keySet()
        .retainAll(rows.stream().map(row -> row.entry().row()).collect(Collectors.toSet()));
    boolean all = true;
    for (Directory.Found row : rows) {
      all &= trySealing(tables, row, known, dueBefore);
    }
    if (known.isEmpty()) {
      leftovers.remove(hour);
    }
    return all;
  }

  /** Seals or cleans up a row. A damaged row does not affect the others of its hour. */
  private boolean trySealing(
      Tables tables, Directory.Found row, Map<RowKey, Known> known, long dueBefore) {
    RowKey key = row.entry().row();
    Long failedNanos = failed.get(key);
    if (failedNanos != null && nanoTime.getAsLong() - failedNanos < FAILED_AGAIN_NANOS) {
      return true;
    }
    try {
      boolean isSealed = sealOrClean(tables, row, known, dueBefore);
      failed.remove(key);
      return isSealed;
    } catch (UnavailableException | OverloadedException e) {
      throw e;
    } catch (RuntimeException e) {
      failed.put(key, nanoTime.getAsLong());
      logger.warn("{}: cannot be sealed, tried again in an hour: {}", key, e.toString());
      return true;
    }
  }

  /**
   * Seals a row, or cleans up a sealed row once its grace is over. The grace begins when this
   * process first saw the seal, whatever the clocks of others show.
   */
  private boolean sealOrClean(
      Tables tables, Directory.Found row, Map<RowKey, Known> known, long dueBefore) {
    RowKey key = row.entry().row();
    if (!row.entry().sealed()) {
      return seal(tables, row, known, dueBefore);
    }
    long seal = row.manifestMicros();
    Known last = known.get(key);
    if (!row.hasLeftovers()) {
      known.remove(key);
    } else if (last == null || last.seal() != seal) {
      known.put(key, new Known(seal, nanoTime.getAsLong()));
    } else if (nanoTime.getAsLong() - last.sinceNanos() >= replaceGrace.toNanos()) {
      deleteLeftovers(tables, row);
      known.remove(key);
    }
    return true;
  }

  private void deleteLeftovers(Tables tables, Directory.Found row) {
    Seal seal = Objects.requireNonNull(row.fact().seal());
    RowKey key = row.entry().row();
    PacksTable sealed = await(tables.packs(seal.retentionClass()));
    List<PacksTable> all = new ArrayList<>(List.of(sealed));
    row.fact().classes().stream()
        .map(RetentionClass::parse)
        .filter(other -> !other.equals(seal.retentionClass()))
        .forEach(other -> all.add(await(tables.packs(other))));
    int left = 0;
    for (PacksTable table : all) {
      left += await(table.deleteReplacedPacks(key, row.generation(), seal, sealed));
    }
    onStep.accept(Step.PACKS_DELETED);
    for (PacksTable table : all) {
      await(table.deletePagesBefore(key, row.generation(), seal.number()));
    }
    onStep.accept(Step.PAGES_DELETED);
    if (left > 0) {
      logger.info(
          "{}: {} packs are not in its pages; they stay until it is sealed again", key, left);
    }
    await(tables.directory().clean(key, row.generation(), seal));
    onStep.accept(Step.NOTED_CLEAN);
  }

  private boolean seal(
      Tables tables, Directory.Found seen, Map<RowKey, Known> known, long dueBefore) {
    RowKey key = seen.entry().row();
    long micros = clock.millis() * 1000; // before the marks, so that who sees later ones is later
    Directory.Found row = await(directory.row(tables, key));
    if (row == null || row.entry().sealed()) {
      return true;
    }
    if (row.lastWrittenMillis() > dueBefore) {
      return false;
    }
    onStep.accept(Step.MARKS_READ);
    long number = SealWriter.number(micros, row.manifestMicros());
    switch (sealWriter.seal(tables, row, number, () -> true)) {
      case SEALED -> {
        known.put(key, new Known(number, nanoTime.getAsLong()));
        onStep.accept(Step.NAMED);
        metrics.sealed();
        return true;
      }
      case REPLACED -> {
        return false;
      }
      default -> { // empty: left by a failed write; a new write adds a mark
        return true;
      }
    }
  }

  private static <T> T await(CompletionStage<T> stage) {
    return SealWriter.await(stage);
  }
}
