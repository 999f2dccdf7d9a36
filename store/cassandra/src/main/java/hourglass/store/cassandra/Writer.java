package hourglass.store.cassandra;

import hourglass.access.Failures;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.driver.Joiner;
import hourglass.store.cassandra.late.LateArrivalRecorder;
import hourglass.store.cassandra.rows.PacksTable;
import hourglass.store.cassandra.rows.RetentionClass;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Writes columns in this order: the row's directory record if needed, the columns, the mark of this
 * writer if needed, the acknowledgement.
 *
 * <p>So a crash at any point leaves no columns in unlisted rows. A reader that begins after an
 * acknowledgement finds the columns, and data cached under earlier marks is invalid. Thread-safe.
 */
final class Writer {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** The memory of a column besides its payload, about. */
  private static final int COLUMN_BYTES = 40;

  /** The most payload bytes of joined writes; about as much as a page contains. */
  private static final long JOINED_BYTES_MAX = 256 << 10;

  private final HourStates hours;
  private final OwnRows rows;
  private final Function<String, RetentionClass> classOfType;
  private final LateArrivalRecorder lateArrivals;
  private final BiFunction<RowKey, Columns, CompletionStage<Void>> check;
  private final LongSupplier period;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();

  /** Joins writes to a row, since large packs need fewer bytes and requests. */
  private final Joiner<RowKey, RowColumns> joiner =
      new Joiner<>(this::write, each -> each.columns().payloadBytes(), JOINED_BYTES_MAX);

  private record RowColumns(Tables tables, Columns columns) {}

  /**
   * Creates a writer.
   *
   * @param check fails if columns must not be written any more; asked just before they are sent
   * @param period the period of a write that is sent now
   * @param bytesMax limits unacknowledged payload bytes, with some overhead; a single write may
   *     exceed it if no other is pending
   */
  Writer(
      HourStates hours,
      OwnRows rows,
      Function<String, RetentionClass> classOfType,
      LateArrivalRecorder lateArrivals,
      BiFunction<RowKey, Columns, CompletionStage<Void>> check,
      LongSupplier period,
      long bytesMax) {
    this.hours = hours;
    this.rows = rows;
    this.classOfType = classOfType;
    this.lateArrivals = lateArrivals;
    this.check = check;
    this.period = period;
    this.bytesMax = bytesMax;
  }

  CompletionStage<Void> write(Tables tables, List<Mutation> mutations) {
    long size = mutations.stream().mapToLong(Writer::bytes).sum();
    if (bytes.getAndAdd(size) > 0 && bytes.get() > bytesMax) {
      release(size);
      return CompletableFuture.failedFuture(
          new OverloadedException(
              "writes: " + bytesMax + " bytes are on their way to Cassandra", RETRY_AFTER));
    }
    return Futures.allOf(mutations.stream().map(mutation -> join(tables, mutation)))
        .whenComplete((done, failure) -> release(size))
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(afterAcceptance(failure)));
  }

  /** Writes at once, or after a running write to the same row. */
  private CompletionStage<Void> join(Tables tables, Mutation mutation) {
    RowColumns columns = new RowColumns(tables, mutation.columns());
    return joiner.add(mutation.row(), columns, tables.cql().readers());
  }

  /** Reports overload after acceptance as unavailability: a part of the write may be stored. */
  private static Throwable afterAcceptance(Throwable failure) {
    Throwable cause = Failures.cause(failure);
    return cause instanceof OverloadedException
        ? new UnavailableException(cause.getMessage() + "; a part may be written", cause)
        : failure;
  }

  private void release(long size) {
    if (bytes.addAndGet(-size) == 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  synchronized void awaitAll(Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    try {
      for (long left = atMost.toNanos();
          bytes.get() > 0 && left > 0;
          left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long bytes(Mutation mutation) {
    Columns columns = mutation.columns();
    return columns.payloadBytes() + (long) COLUMN_BYTES * columns.size();
  }

  /** Writes columns of one row, each of them atomically. */
  private CompletionStage<Void> write(RowKey row, List<RowColumns> joined) {
    Tables tables = joined.get(joined.size() - 1).tables(); // of the last session
    List<Columns> writes = joined.stream().map(RowColumns::columns).toList();
    Columns columns = writes.size() == 1 ? writes.get(0) : Columns.merge(writes);
    return lateArrivals.around(
        tables.lateArrivals(),
        row,
        columns,
        () -> check.apply(row, columns),
        () ->
            hours
                .of(row.hour())
                .thenCombine(
                    tables.packs(classOfType.apply(row.type())),
                    (hour, table) -> new RowWrite(tables, row, writes, columns, table, hour))
                .thenCompose(RowWrite::run));
  }

  private final class RowWrite {
    private final Tables tables;
    private final RowKey row;
    private final List<Columns> writes;

    /** The columns of all writes. */
    private final Columns columns;

    private final PacksTable table;
    private final int generation;
    private final OwnRow own;

    RowWrite(
        Tables tables,
        RowKey row,
        List<Columns> writes,
        Columns columns,
        PacksTable table,
        HourState hour) {
      this.tables = tables;
      this.row = row;
      this.writes = writes;
      this.columns = columns;
      this.table = table;
      this.generation = hour.generation();
      this.own = rows.of(row, generation, table.retentionClass());
    }

    CompletionStage<Void> run() {
      return rows.beforeWrite(own, columns)
          .thenCompose(added -> added ? insertAfterRecord() : insert(false));
    }

    /** Encodes the columns apart from the threads that serve connections. */
    private CompletionStage<Void> insertAfterRecord() {
      return hours
          .of(row.hour())
          .thenComposeAsync(now -> unlessDropped(now, () -> insert(true)), tables.cql().readers());
    }

    private CompletionStage<Void> insert(boolean added) {
      return table
          .insert(
              row, generation, period.getAsLong(), columns, writes, () -> check.apply(row, columns))
          .thenCompose(
              longest -> {
                own.addLongest(longest);
                return hours.of(row.hour());
              })
          .whenComplete(
              (now, failure) -> {
                if (failure != null) {
                  rows.afterFailure(own, columns, added);
                }
              })
          .thenCompose(
              now -> unlessDropped(now, () -> register(rows.afterWrite(own, columns, added), now)));
    }

    /** Continues if the hour is still in its generation; after a drop, writes to the next one. */
    private CompletionStage<Void> unlessDropped(
        HourState now, Supplier<CompletionStage<Void>> next) {
      return now.generation() == generation
          ? next.get()
          : new RowWrite(tables, row, writes, columns, table, now).run();
    }

    private CompletionStage<Void> register(CompletableFuture<Void> published, HourState now) {
      RetentionClass retentionClass = table.retentionClass();
      if (now.classes().contains(retentionClass.name())) {
        return published;
      }
      return tables
          .hours()
          .put(row.hour(), generation, retentionClass)
          .thenCombine(published, (put, done) -> null)
          .thenAccept(both -> hours.added(row.hour(), generation, retentionClass));
    }
  }

  long bytesUnderWay() {
    return bytes.get();
  }
}
