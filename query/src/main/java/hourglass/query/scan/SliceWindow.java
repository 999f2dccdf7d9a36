package hourglass.query.scan;

import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.RowSource;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Fetches the slices of one query, a bounded number at a time. Thread-safe. */
public final class SliceWindow {
  private record Waiting(RowEntry row, SliceQuery query, CompletableFuture<SiftedSlice> answer) {}

  private final RowSource rows;
  private final @Nullable SlicePrefilter prefilter;
  private final QueryReads reads;

  // Guarded by this:
  private final Queue<Waiting> line = new ArrayDeque<>();
  private int widthMax;
  private int underWay;
  private boolean cancelled;

  private final LongAdder bytesWalked = new LongAdder();

  /** If {@code prefilter} is null, slices are not filtered ahead. */
  public SliceWindow(
      RowSource rows, @Nullable SlicePrefilter prefilter, QueryReads reads, int widthMax) {
    this.rows = rows;
    this.prefilter = prefilter;
    this.reads = reads;
    this.widthMax = widthMax;
  }

  CompletableFuture<SiftedSlice> submit(RowEntry row, SliceQuery query) {
    Waiting waiting = new Waiting(row, query, new CompletableFuture<>());
    synchronized (this) {
      if (cancelled) {
        waiting.answer.completeExceptionally(StoreAccess.givenUp());
        return waiting.answer;
      }
      line.add(waiting);
    }
    sendLine();
    return waiting.answer;
  }

  /**
   * Sets the number of slices in flight. If more are in flight already, no further one is sent
   * until enough have ended.
   */
  void setWidth(int newWidthMax) {
    synchronized (this) {
      widthMax = newWidthMax;
    }
    sendLine();
  }

  void widen(int leastWidthMax) {
    synchronized (this) {
      widthMax = Math.max(widthMax, leastWidthMax);
    }
    sendLine();
  }

  private void sendLine() {
    // This is a loop and not a recursion, since a store may answer at once and the queue may be
    // long.
    for (Waiting next = next(); next != null; next = next()) {
      send(next);
    }
  }

  private synchronized @Nullable Waiting next() {
    Waiting next = underWay < widthMax ? line.poll() : null;
    underWay += next == null ? 0 : 1;
    return next;
  }

  private void send(Waiting next) {
    CompletionStage<Slice> slice = rows.slice(next.row, next.query);
    boolean later = !slice.toCompletableFuture().isDone();
    slice.whenComplete(
        (answer, failure) -> {
          complete(next, answer, failure);
          synchronized (this) {
            underWay--;
          }
          if (later) {
            sendLine();
          }
        });
  }

  void walked(Slice slice) {
    bytesWalked.add(payloadBytes(slice));
  }

  /** The payload bytes of the slices that readers have reached. */
  long bytesWalked() {
    return bytesWalked.sum();
  }

  /** Ends the fetching. Slices that wait, or are submitted later, fail. */
  void cancel() {
    List<Waiting> unsent;
    synchronized (this) {
      cancelled = true;
      unsent = List.copyOf(line);
      line.clear();
    }
    unsent.forEach(waiting -> waiting.answer.completeExceptionally(StoreAccess.givenUp()));
    if (prefilter != null) {
      prefilter.cancel();
    }
  }

  private void complete(Waiting sent, @Nullable Slice answer, @Nullable Throwable failure) {
    if (answer == null) {
      sent.answer.completeExceptionally(
          failure != null ? failure : new NullPointerException("slice of " + sent.query.row()));
      return;
    }
    reads.add(answer.columns());
    SlicePrefilter ahead = SlicePrefilter.isWorth(payloadBytes(answer)) ? prefilter : null;
    boolean ascending = sent.query.order() == Order.ASCENDING;
    SiftedSlice slice = new SiftedSlice(sent.row.row().type(), answer, ascending, ahead != null);
    if (ahead != null) {
      ahead.add(slice);
    }
    sent.answer.complete(slice);
  }

  private static long payloadBytes(Slice slice) {
    return slice.columns().isEmpty() ? 0 : slice.columns().payloadBytes();
  }
}
