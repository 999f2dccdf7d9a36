package hourglass.store.cassandra;

import hourglass.access.Failures;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.OverloadedException;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.erasure.EraserClaim;
import hourglass.store.cassandra.erasure.ErasureRecord;
import hourglass.store.cassandra.erasure.ErasureTables;
import hourglass.store.cassandra.erasure.SeenErasures;
import hourglass.store.cassandra.erasure.SeenErasures.Seen;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureJournal;
import hourglass.store.erasure.ErasureStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The erasures of a keyspace. The names of one are stored first, and then a row that makes it begun
 * for every process. Thread-safe.
 */
final class CassandraErasures implements ErasureJournal {
  /** The least bound of the time that clocks differ by, and of that to seal a row. */
  private static final Duration AHEAD_MIN = Duration.ofMinutes(1);

  private static final Duration RETRY_AFTER = Duration.ofHours(1);

  /** The hours whose directories are read at once, by eight requests each. */
  private static final int HOURS_AT_A_TIME = 8;

  /** The bytes of a column in a page besides its payload, at most. */
  private static final int COLUMN_BYTES = 16;

  /** The places where Cassandra keeps deleted data. */
  private static final List<String> HOLDS =
      List.of(
          "SSTables and commit logs of the nodes, until they are compacted and reused; at once:"
              + " docs/operations.md",
          "snapshots of the nodes (nodetool listsnapshots)",
          "hints for nodes that were down (nodetool listpendinghints)");

  private final Supplier<Tables> tables;
  private final SeenErasures seen;
  private final TableEraser eraser;
  private final Directory directory;
  private final Function<RowKey, List<String>> placement;

  private CassandraErasures(
      Supplier<Tables> tables,
      SeenErasures seen,
      TableEraser eraser,
      Directory directory,
      Function<RowKey, List<String>> placement) {
    this.tables = tables;
    this.seen = seen;
    this.eraser = eraser;
    this.directory = directory;
    this.placement = placement;
  }

  /**
   * Creates the journal of a store.
   *
   * @param nanoTime must be monotonic
   * @param placement returns the nodes that store a row
   */
  static CassandraErasures create(
      CassandraOptions options,
      Clock clock,
      LongSupplier nanoTime,
      Connection connection,
      Directory directory,
      OwnRows ownRows,
      Function<RowKey, List<String>> placement) {
    SeenErasures seen =
        new SeenErasures(
            () -> connection.tables().erasures(),
            options.trustFor(),
            clock,
            nanoTime,
            erasure ->
                ownRows.evict(
                    erasure.rows().stream()
                        .map(row -> row.row().typeHour())
                        .collect(Collectors.toSet())));
    Duration apart = options.sealAfter().dividedBy(2);
    RowEraser rows =
        new RowEraser(
            directory,
            new SealWriter(directory, () -> columns(seen), step -> {}),
            clock,
            nanoTime,
            apart.compareTo(AHEAD_MIN) < 0 ? AHEAD_MIN : apart);
    EraserClaim claim =
        new EraserClaim(
            () -> connection.tables().erasures().erasures(), nanoTime, options.eraseAfter());
    TableEraser eraser = new TableEraser(seen, claim, rows, clock, nanoTime, options);
    return new CassandraErasures(connection::tablesForRequest, seen, eraser, directory, placement);
  }

  private static CompletionStage<ErasedColumns> columns(SeenErasures seen) {
    return seen.current().thenApply(Seen::columns);
  }

  private <T> CompletionStage<T> with(Function<Tables, CompletionStage<T>> work) {
    return Futures.call(() -> work.apply(tables.get()));
  }

  @Override
  public CompletionStage<ErasedColumns> current() {
    return with(now -> columns());
  }

  /** Returns the erased columns like {@link #current}, also while the store closes. */
  CompletionStage<ErasedColumns> columns() {
    return columns(seen);
  }

  /** Looks at the erasures, so that requests need not. */
  CompletionStage<?> look() {
    return seen.look();
  }

  /** Returns what removes the bytes. */
  TableEraser eraser() {
    return eraser;
  }

  /** Notes an erasure, and completes when every process knows it. */
  @Override
  public CompletionStage<Void> begin(Erasure erasure) {
    return with(now ->
            seen.look()
                .thenCompose(
                    before -> {
                      requireRoom(before.columns(), erasure);
                      eraser.began(erasure.id());
                      return put(now.erasures(), erasure);
                    })
                .thenCompose(
                    begun -> seen.look().exceptionallyCompose(CassandraErasures::uncertain))
                .<Void>thenApplyAsync(
                    known -> null,
                    CompletableFuture.delayedExecutor(eraser.knownNanos(), TimeUnit.NANOSECONDS)))
        .whenComplete(
            (begun, failure) -> {
              if (failure != null) {
                eraser.forget(erasure.id()); // it may have begun all the same
              }
            });
  }

  private static void requireRoom(ErasedColumns before, Erasure erasure) {
    long columns = before.remembered() + erasure.columns();
    if (columns > REMEMBERED_MAX) {
      throw new OverloadedException(
          "erasures: %d columns to remember, want at most %d: lower erasure.remember, or wait"
              .formatted(columns, REMEMBERED_MAX),
          RETRY_AFTER);
    }
  }

  private static CompletionStage<Void> put(ErasureTables tables, Erasure erasure) {
    return tables
        .names()
        .put(erasure)
        .thenCompose(
            parts ->
                tables
                    .erasures()
                    .begin(
                        new ErasureRecord(
                            erasure.id(),
                            ErasureRecord.State.HIDDEN,
                            0,
                            erasure.columns(),
                            parts,
                            erasure.blanked(),
                            null))
                    .exceptionallyCompose(CassandraErasures::uncertain));
  }

  /** Fails as a write of which nobody knows whether it happened, whatever the failure is. */
  private static <T> CompletionStage<T> uncertain(Throwable failure) {
    Throwable cause = Failures.cause(failure);
    return CompletableFuture.failedFuture(
        new UnavailableException("the erasure may have begun: " + cause, cause));
  }

  @Override
  public CompletionStage<Void> rewrite(TimeUuid id) {
    eraser.rewrite(id);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<List<ErasureStatus>> all() {
    return with(now -> now.erasures().erasures().all())
        .thenApply(all -> all.stream().map(CassandraErasures::status).toList());
  }

  private static ErasureStatus status(ErasureRecord stored) {
    ErasureStatus.State state =
        switch (stored.state()) {
          case HIDDEN -> ErasureStatus.State.HIDDEN;
          case REWRITING, DELETING -> ErasureStatus.State.REWRITING;
          case DONE -> ErasureStatus.State.DONE;
        };
    return new ErasureStatus(stored.id(), state, stored.columns(), stored.failure(), HOLDS);
  }

  /**
   * Returns the bytes of the new pages on all nodes together. They are compressed, so that this is
   * an upper bound.
   */
  @Override
  public CompletionStage<Long> spaceNeeded(Collection<TypeHour> typeHours) {
    return with(
        now -> {
          List<Hour> hours = typeHours.stream().map(TypeHour::hour).distinct().toList();
          return spaceNeeded(now, hours, Set.copyOf(typeHours), 0);
        });
  }

  /** Reads the directories of some hours at a time. */
  private CompletionStage<Long> spaceNeeded(
      Tables now, List<Hour> hours, Set<TypeHour> typeHours, long before) {
    int next = Math.min(HOURS_AT_A_TIME, hours.size());
    return next == 0
        ? CompletableFuture.completedFuture(before)
        : Futures.all(hours.subList(0, next).stream().map(hour -> directory.rows(now, hour)))
            .thenCompose(
                found -> {
                  long bytes =
                      found.stream()
                          .flatMap(List::stream)
                          .map(Directory.Found::entry)
                          .filter(entry -> typeHours.contains(entry.row().typeHour()))
                          .mapToLong(this::bytes)
                          .sum();
                  return spaceNeeded(
                      now, hours.subList(next, hours.size()), typeHours, before + bytes);
                });
  }

  private long bytes(RowEntry entry) {
    long copy = entry.bytes() + COLUMN_BYTES * entry.columns();
    return copy * Math.max(1, placement.apply(entry.row()).size());
  }

  /** Fails if any of these columns was erased by now, since they are about to be written. */
  CompletionStage<Void> requireNotErased(RowKey row, Columns columns) {
    return seen.current()
        .thenAccept(
            now -> {
              if (now.columns().hasRepeat(row.typeHour(), columns)) {
                throw new UnavailableException(
                    row + ": events were erased while they were written; repeat the write");
              }
            });
  }

  /** Returns the names of columns that are not erased by now, as they are about to be recorded. */
  CompletionStage<Columns> withoutErased(RowKey row, Columns names) {
    return seen.current().thenApply(now -> now.columns().withoutErased(row.typeHour(), names));
  }

  /** Returns a number that changes when data of rows is about to be deleted. */
  CompletionStage<Long> deletions() {
    return seen.current().thenApply(Seen::deletions);
  }
}
