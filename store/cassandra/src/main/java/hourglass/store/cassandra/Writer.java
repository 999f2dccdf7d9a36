package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.late.LateArrivalWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes columns in this order: the row's directory record if needed, the columns, the mark of this
 * writer if needed, the acknowledgement.
 *
 * <p>A crash at any point thus leaves no columns in unlisted rows. A reader that starts after an
 * acknowledgement finds the row and its columns. Data cached under earlier marks becomes invalid.
 * Thread-safe.
 */
final class Writer {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final HourStates hours;
  private final OwnRows rows;
  private final Function<String, RetentionClass> classOfType;
  private final LateArrivalWriter notes;
  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param bytesMax limit of unacknowledged payload bytes, with some overhead; a single write may
   *     exceed it if no other is pending
   */
  Writer(
      HourStates hours,
      OwnRows rows,
      Function<String, RetentionClass> classOfType,
      LateArrivalWriter notes,
      long bytesMax) {
    this.hours = hours;
    this.rows = rows;
    this.classOfType = classOfType;
    this.notes = notes;
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
    CompletableFuture<?>[] parts =
        mutations.stream()
            .map(mutation -> noted(tables, mutation.row(), mutation.columns()))
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(parts)
        .whenComplete((done, failure) -> release(size))
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(afterTaken(failure)));
  }

  /**
   * Reports overload after acceptance as unavailability: unlike a refused write, a part of it may
   * be stored.
   */
  private static Throwable afterTaken(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
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

  /** Waits until no write is pending, or the time is up. */
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
    return columns.payloadBytes() + (long) InsertBatches.COLUMN_BYTES * columns.size();
  }

  private CompletionStage<Void> noted(Tables tables, RowKey row, Columns columns) {
    return notes.around(tables.lateArrivals(), row, columns, () -> write(tables, row, columns));
  }

  private CompletionStage<Void> write(Tables tables, RowKey row, Columns columns) {
    RetentionClass retentionClass = classOfType.apply(row.type());
    return hours
        .of(row.hour())
        .thenCombine(tables.events(retentionClass.name()), Target::new)
        .thenCompose(target -> write(tables, row, columns, target));
  }

  /** The destination of columns. */
  private record Target(HourState hour, EventsTable table) {
    int generation() {
      return hour.generation();
    }
  }

  private CompletionStage<Void> write(Tables tables, RowKey row, Columns columns, Target target) {
    OwnRow own = rows.of(row, target.generation(), target.table().retentionClass());
    return rows.announce(own, columns)
        .thenCompose(
            announced ->
                announced
                    ? hours
                        .of(row.hour())
                        .thenCompose(
                            now ->
                                unlessDropped(
                                    tables,
                                    own,
                                    columns,
                                    target,
                                    now,
                                    () -> insert(tables, own, columns, target, true)))
                    : insert(tables, own, columns, target, false));
  }

  private CompletionStage<Void> insert(
      Tables tables, OwnRow own, Columns columns, Target target, boolean announced) {
    return target
        .table()
        .insert(own.row(), target.generation(), columns)
        .thenCompose(done -> hours.of(own.row().hour()))
        .whenComplete(
            (now, failure) -> {
              if (failure != null) {
                rows.perhaps(own, columns, announced);
              }
            })
        .thenCompose(
            now ->
                unlessDropped(
                    tables,
                    own,
                    columns,
                    target,
                    now,
                    () -> register(tables, own, rows.cover(own, columns, announced), now)));
  }

  /** Continues if the hour is still in its generation; after a drop, writes to the next one. */
  private CompletionStage<Void> unlessDropped(
      Tables tables,
      OwnRow own,
      Columns columns,
      Target target,
      HourState now,
      Supplier<CompletionStage<Void>> next) {
    return now.generation() == target.generation()
        ? next.get()
        : write(tables, own.row(), columns, new Target(now, target.table()));
  }

  private CompletionStage<Void> register(
      Tables tables, OwnRow own, CompletableFuture<Void> covered, HourState now) {
    if (now.classes().contains(own.retentionClass().name())) {
      return covered;
    }
    return tables
        .hours()
        .put(own.row().hour(), own.generation(), own.retentionClass())
        .thenCombine(covered, (put, told) -> null)
        .thenApply(
            both -> {
              hours.added(own.row().hour(), own.generation(), own.retentionClass());
              return null;
            });
  }

  /** Bytes of unacknowledged writes, with overhead. */
  long bytesUnderWay() {
    return bytes.get();
  }
}
