package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.erasure.EraserClaim;
import hourglass.store.cassandra.erasure.ErasureRecord;
import hourglass.store.cassandra.erasure.ErasureRecord.State;
import hourglass.store.cassandra.erasure.ErasureTables;
import hourglass.store.cassandra.erasure.SeenErasures;
import hourglass.store.cassandra.erasure.SeenErasures.Unfinished;
import hourglass.store.cassandra.rows.ErasedParts;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.HiddenColumns;
import hourglass.store.erasure.RememberedColumns;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the bytes of erasures, the oldest first, in one process at a time. It may end at any
 * step; another process then begins the erasure again. Blocks; {@link #pass} is used by one thread.
 *
 * <pre>
 * hidden     until no write that passed the check before can arrive any more
 * rewriting  all rows of the type hours are read; those that have any of the columns get pages
 *            without them; then every look-up before that grows old
 * deleting   every read that began before ends or is repeated; then packs and pages are deleted,
 *            and all is read again: if any of the columns is found, from "rewriting" on
 * done       hashes are stored; the names are deleted
 * </pre>
 */
final class TableEraser {
  private static final Logger logger = LoggerFactory.getLogger(TableEraser.class);

  /** The rounds of an attempt: each needs writes that were on their way for very long. */
  private static final int ROUNDS_MAX = 4;

  /** The longest pause after a failed attempt; from {@code eraseAfter} on, each is doubled. */
  private static final Duration PAUSE_MAX = Duration.ofHours(1);

  /** The pause between two looks for names without an erasure. */
  private static final Duration TIDY_EVERY = Duration.ofHours(1);

  /** The age at which names without an erasure are left over from a request that failed. */
  private static final Duration LEFT_OVER_AGE = Duration.ofDays(1);

  private final SeenErasures seen;
  private final EraserClaim claim;
  private final RowEraser rows;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final CassandraOptions options;
  private final CountDownLatch closing = new CountDownLatch(1);

  /** The erasures that began here, and whether their rewrite was asked for. */
  private final Map<TimeUuid, Boolean> own = new ConcurrentHashMap<>();

  /** The erasures whose last attempt here failed. */
  private final Map<TimeUuid, Failed> failed = new ConcurrentHashMap<>();

  /** When names without an erasure were last deleted; null before the first time. */
  private @Nullable Long tidiedNanos;

  /** A failed attempt, and the pause until the next one. */
  private record Failed(String text, long sinceNanos, long pauseNanos) {}

  TableEraser(
      SeenErasures seen,
      EraserClaim claim,
      RowEraser rows,
      Clock clock,
      LongSupplier nanoTime,
      CassandraOptions options) {
    this.seen = seen;
    this.claim = claim;
    this.rows = rows;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.options = options;
  }

  /** Leaves an erasure alone in this process until its rewrite is asked for. */
  void began(TimeUuid id) {
    own.putIfAbsent(id, false);
  }

  /** Treats an erasure like one of another process. */
  void forget(TimeUuid id) {
    own.remove(id);
    failed.remove(id);
  }

  void rewrite(TimeUuid id) {
    own.put(id, true);
  }

  /** Returns how long a change takes to be known to every process, with some reserve. */
  long knownNanos() {
    return seen.leaseNanos() + seen.leaseNanos() / 4;
  }

  /** Removes the bytes of all erasures that are due. */
  void pass(Tables tables) {
    SeenErasures.Seen now = await(seen.current());
    now.all().stream().filter(ErasureRecord::isDone).map(ErasureRecord::id).forEach(this::forget);
    boolean isIdle = now.unfinished().stream().noneMatch(this::isDue);
    Long tidied = tidiedNanos;
    boolean isTidy = tidied != null && nanoTime.getAsLong() - tidied < TIDY_EVERY.toNanos();
    if ((isIdle && isTidy) || !await(claim.take())) {
      return;
    }
    try {
      // The last holder of the claim may have finished some.
      List<Unfinished> due = await(seen.look()).unfinished().stream().filter(this::isDue).toList();
      if (!isTidy) {
        deleteLeftOverNames(tables.erasures());
        tidiedNanos = nanoTime.getAsLong();
      }
      due.forEach(each -> tryErasing(tables, each));
    } finally {
      if (claim.isHeld()) {
        await(claim.release());
      }
    }
  }

  /**
   * Whether no write can be on its way that was sent before the erasure was visible. One of another
   * process is due later, so that this goes on with it first.
   */
  private boolean isDue(Unfinished each) {
    Boolean asked = own.get(each.erasure().id());
    long unitNanos = options.eraseAfter().toNanos();
    long waitNanos = knownNanos() + unitNanos * (asked == null ? 4 : 1);
    long now = nanoTime.getAsLong();
    Failed last = failed.get(each.erasure().id());
    return !Boolean.FALSE.equals(asked)
        && now - each.seenNanos() >= waitNanos
        && (last == null || now - last.sinceNanos() >= last.pauseNanos());
  }

  /** Removes the bytes of an erasure. A failure is noted, and does not affect others. */
  private void tryErasing(Tables tables, Unfinished each) {
    ErasureRecord stored = each.stored();
    try {
      erase(tables, each.erasure(), stored);
    } catch (RuntimeException e) {
      if (closing.getCount() == 0) {
        throw e;
      }
      noteFailure(tables, stored, e);
    }
  }

  private void noteFailure(Tables tables, ErasureRecord stored, RuntimeException failure) {
    Failed last = failed.get(stored.id());
    long pauseNanos =
        last == null
            ? options.eraseAfter().toNanos()
            : Math.min(PAUSE_MAX.toNanos(), 2 * last.pauseNanos());
    String text = String.valueOf(failure.getMessage());
    failed.put(stored.id(), new Failed(text, nanoTime.getAsLong(), pauseNanos));
    if (last == null || !text.equals(last.text())) {
      logger.warn("erasure {}: not finished, tried again: {}", stored.id(), failure.toString());
    }
    if (!text.equals(stored.failure())) {
      await(tables.erasures().erasures().fail(stored.id(), text, claim.worker()));
    }
  }

  private void erase(Tables tables, Erasure erasure, ErasureRecord stored) {
    ErasedColumns columns = ErasedColumns.of(List.of(erasure), List.of());
    Map<RowKey, RuntimeException> failures = new LinkedHashMap<>();
    ErasureRecord now = advance(tables, stored, State.REWRITING);
    List<RowKey> left = withErased(tables, erasure, columns, failures);
    for (int rounds = 0; !left.isEmpty(); rounds++) {
      if (rounds == ROUNDS_MAX) {
        throw new UnavailableException(
            "columns of " + left.get(0) + " were found again; are clocks of processes wrong?");
      }
      left = forEach(left, failures, row -> rows.reseal(tables, row));
      if (left.isEmpty()) {
        break;
      }
      pause(Math.max(options.trustFor().toNanos(), options.eraseAfter().toNanos()));
      now = advance(tables, now, State.DELETING);
      pause(knownNanos());
      forEach(left, failures, row -> rows.clean(tables, row, parts(columns, row)));
      left = withErased(tables, erasure, columns, failures);
      now = left.isEmpty() ? now : advance(tables, now, State.REWRITING);
    }
    throwAny(failures);
    if (now.state() != State.DELETING) {
      // A write that was refused may have left names in the memory of its process until here.
      now = advance(tables, now, State.DELETING);
      pause(Math.max(knownNanos(), options.eraseAfter().toNanos()));
    }
    typeHours(erasure).stream().map(TypeHour::hour).distinct().forEach(rows::requireNoDrop);
    if (erasure.blanked().isEmpty()) {
      requireClaim();
      eraseNames(tables, erasure);
    }
    requireClaim();
    ErasureTables table = tables.erasures();
    int hashes = await(table.hashes().put(erasure.id(), RememberedColumns.of(erasure)));
    await(table.erasures().finish(now, hashes, claim.worker()));
    await(seen.look());
    logger.info("erasure {}: the bytes of {} columns are gone", erasure.id(), erasure.columns());
    pause(knownNanos()); // no process reads the names any more
    await(table.names().delete(erasure.id()));
  }

  private ErasureRecord advance(Tables tables, ErasureRecord now, State to) {
    if (now.state() == to) {
      return now;
    }
    int round = now.round() + (to == State.DELETING ? 1 : 0);
    await(tables.erasures().erasures().advance(now, to, round, claim.worker()));
    return new ErasureRecord(
        now.id(), to, round, now.columns(), now.parts(), now.blanked(), now.failure());
  }

  /** Returns the rows whose tables have columns of an erasure, in any row of its type hours. */
  private List<RowKey> withErased(
      Tables tables,
      Erasure erasure,
      ErasedColumns columns,
      Map<RowKey, RuntimeException> failures) {
    List<RowKey> found = new ArrayList<>();
    forEach(
        rows.of(tables, typeHours(erasure)),
        failures,
        row -> {
          if (rows.hasErased(tables, row, parts(columns, row))) {
            found.add(row);
          }
        });
    return found;
  }

  /**
   * Works on rows. A failure does not affect others, so that an attempt leaves as little as
   * possible to the next one.
   *
   * @param failures rows to leave alone, to which those are added that fail
   * @return the rows that did not fail
   */
  private List<RowKey> forEach(
      List<RowKey> some, Map<RowKey, RuntimeException> failures, Consumer<RowKey> work) {
    List<RowKey> done = new ArrayList<>();
    for (RowKey row : some) {
      if (failures.containsKey(row)) {
        continue;
      }
      requireClaim();
      try {
        work.accept(row);
        done.add(row);
      } catch (RuntimeException e) {
        failures.put(row, e);
      }
    }
    return done;
  }

  private static void throwAny(Map<RowKey, RuntimeException> failures) {
    if (!failures.isEmpty()) {
      RuntimeException first = failures.values().iterator().next();
      throw failures.size() == 1
          ? first
          : new UnavailableException(
              first.getMessage() + "; " + (failures.size() - 1) + " other rows failed too", first);
    }
  }

  private static Set<TypeHour> typeHours(Erasure erasure) {
    return erasure.rows().stream().map(row -> row.row().typeHour()).collect(Collectors.toSet());
  }

  /** Returns the erased columns of a row of one of the type hours of an erasure. */
  private ErasedParts parts(ErasedColumns erasure, RowKey row) {
    HiddenColumns own = Objects.requireNonNull(erasure.hidden(row));
    HiddenColumns all = await(seen.current()).columns().hidden(row);
    return new ErasedParts(own, all == null ? own : all);
  }

  /** Removes the names from what has names alone. */
  private void eraseNames(Tables tables, Erasure erasure) {
    Map<TypeHour, Columns> names = new HashMap<>();
    for (ErasedRow row : erasure.rows()) {
      names.merge(
          row.row().typeHour(), row.names(), (some, more) -> Columns.merge(List.of(some, more)));
    }
    for (RowKey row : rows.of(tables, names.keySet())) {
      requireClaim();
      rows.forgetBounds(tables, row, Objects.requireNonNull(names.get(row.typeHour())));
    }
    await(tables.lateArrivals().erase(names));
    long newest =
        names.values().stream().mapToLong(columns -> columns.last().ticks()).max().orElse(0);
    Duration age = Duration.between(Ticks.toInstant(newest), clock.instant());
    // Each ends by a TTL, which counts from about the time that it has.
    if (age.compareTo(options.untimedWindow().multipliedBy(2)) < 0) {
      await(tables.firstTimes().erase(names.values()));
    }
  }

  /** Deletes names of erasures that never began, or that were done when a process ended. */
  private void deleteLeftOverNames(ErasureTables tables) {
    long oldMicros = tables.names().nowMicros() - LEFT_OVER_AGE.toMillis() * 1000;
    Map<TimeUuid, Long> named = await(tables.names().erasures());
    Map<TimeUuid, Boolean> done = new HashMap<>();
    await(seen.look()).all().forEach(each -> done.put(each.id(), each.isDone()));
    named.forEach(
        (id, storedMicros) -> {
          if (done.getOrDefault(id, storedMicros < oldMicros)) {
            await(tables.names().delete(id));
          }
        });
  }

  private void requireClaim() {
    if (closing.getCount() == 0) {
      throw new UnavailableException("the store is closed");
    }
    if (!await(claim.keep()) || !claim.isHeld()) {
      throw new UnavailableException("another process goes on with erasures");
    }
  }

  private void pause(long nanos) {
    try {
      if (closing.await(nanos, TimeUnit.NANOSECONDS)) {
        throw new UnavailableException("the store is closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("the store is closed", e);
    }
    requireClaim();
  }

  /** Shows life while {@link #pass} works. */
  CompletionStage<Boolean> keepClaim() {
    return claim.keep();
  }

  /** Ends the work at its next step. */
  void close() {
    closing.countDown();
  }

  private static <T> T await(CompletionStage<T> stage) {
    return SealWriter.await(stage);
  }
}
