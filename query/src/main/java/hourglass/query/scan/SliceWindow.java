package hourglass.query.scan;

import hourglass.query.filter.Sieve;
import hourglass.query.filter.SiftedSlice;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.RowSource;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Slices of one query, a bounded number of them under way in the store at a time, the others
 * waiting in line. Thread-safe.
 */
public final class SliceWindow {
  private record Waiting(RowEntry row, SliceQuery query, CompletableFuture<SiftedSlice> answer) {}

  private final RowSource rows;
  private final @Nullable Sieve sieve;

  /** Guards the four below. */
  private final Object lock = new Object();

  private final Queue<Waiting> line = new ArrayDeque<>();
  private int widthMax;
  private int underWay;
  private boolean cancelled;

  private final LongAdder columnsRead = new LongAdder();
  private final LongAdder bytesWalked = new LongAdder();

  /**
   * @param sieve looks at what comes, ahead of the merge; null: nobody does
   */
  public SliceWindow(RowSource rows, @Nullable Sieve sieve, int widthMax) {
    this.rows = rows;
    this.sieve = sieve;
    this.widthMax = widthMax;
  }

  CompletableFuture<SiftedSlice> submit(RowEntry row, SliceQuery query) {
    Waiting waiting = new Waiting(row, query, new CompletableFuture<>());
    synchronized (lock) {
      if (cancelled) {
        return waiting.answer;
      }
      if (underWay >= widthMax) {
        line.add(waiting);
        return waiting.answer;
      }
      underWay++;
    }
    send(waiting);
    return waiting.answer;
  }

  /** From now on, so many slices may be under way; where more are, none is sent until they end. */
  void setWidth(int newWidthMax) {
    synchronized (lock) {
      widthMax = newWidthMax;
    }
    sendLine();
  }

  /** From now on, at least so many slices may be under way. */
  void widen(int leastWidthMax) {
    synchronized (lock) {
      widthMax = Math.max(widthMax, leastWidthMax);
    }
    sendLine();
  }

  private void sendLine() {
    for (Waiting next = nextInLine(); next != null; next = nextInLine()) {
      send(next);
    }
  }

  private @Nullable Waiting nextInLine() {
    synchronized (lock) {
      Waiting next = underWay < widthMax ? line.poll() : null;
      underWay += next == null ? 0 : 1;
      return next;
    }
  }

  /** Columns that the store answered so far. */
  long columnsRead() {
    return columnsRead.sum();
  }

  /** Notes a slice that a walk has come to. */
  void walked(Slice slice) {
    bytesWalked.add(payloadBytes(slice));
  }

  /** Bytes of payloads that walks have come to, without those that were fetched ahead. */
  long bytesWalked() {
    return bytesWalked.sum();
  }

  /** Sends nothing more: what waits in line, or is submitted from now on, is never answered. */
  void cancel() {
    synchronized (lock) {
      cancelled = true;
      line.clear();
    }
    if (sieve != null) {
      sieve.cancel();
    }
  }

  private void send(@Nullable Waiting first) {
    // A loop, since a store may answer at once, and a line may be long: no recursion over it.
    for (Waiting next = first; next != null; next = following()) {
      Waiting sent = next;
      CompletionStage<Slice> slice = rows.slice(sent.row, sent.query);
      boolean later = !slice.toCompletableFuture().isDone();
      slice.whenComplete(
          (answer, failure) -> {
            complete(sent, answer, failure);
            if (later) {
              send(following());
            }
          });
      if (later) {
        return;
      }
    }
  }

  private void complete(Waiting sent, @Nullable Slice answer, @Nullable Throwable failure) {
    if (answer != null) {
      columnsRead.add(answer.columns().size());
      hand(sent, answer);
    } else {
      sent.answer.completeExceptionally(
          failure != null ? failure : new NullPointerException("slice of " + sent.query.row()));
    }
  }

  private void hand(Waiting sent, Slice answer) {
    Sieve looking = Sieve.isWorth(payloadBytes(answer)) ? sieve : null;
    boolean ascending = sent.query.order() == Order.ASCENDING;
    SiftedSlice slice = new SiftedSlice(sent.row.row().type(), answer, ascending, looking != null);
    if (looking != null) {
      looking.add(slice);
    }
    sent.answer.complete(slice);
  }

  private static long payloadBytes(Slice slice) {
    return slice.columns().isEmpty() ? 0 : slice.columns().payloadBytes();
  }

  /** What takes the place of a slice that was answered. */
  private @Nullable Waiting following() {
    synchronized (lock) {
      underWay--;
      return nextInLine();
    }
  }
}
