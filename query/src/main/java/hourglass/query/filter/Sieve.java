package hourglass.query.filter;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Has a query's filter look at slices ahead of the merge, one slice after the other, on another
 * thread. The merge does not wait for that, and it still gets every column, since it chooses among
 * the events of one name before the filter has its say. Thread-safe.
 */
public final class Sieve {
  /** Less is looked at sooner than handed over. */
  private static final int BYTES_MIN = 64 << 10;

  /** What would have to wait for longer is looked at by the merge. */
  private static final int LINE_MAX = 64;

  private final EventFilter filter;
  private final Executor executor;

  /** Guarded by this. */
  private final Queue<SiftedSlice> line = new ArrayDeque<>();

  /** Guarded by this. */
  private boolean running;

  /** What the last turn did not come to the end of. Touched by turns, of which one runs. */
  private @Nullable SiftedSlice begun;

  private volatile boolean cancelled;

  private Sieve(EventFilter filter, Executor executor) {
    this.filter = filter.until(() -> cancelled);
    this.executor = executor;
  }

  /** Null where there is no filter. */
  public static @Nullable Sieve of(@Nullable EventFilter filter, Executor executor) {
    return filter == null ? null : new Sieve(filter, executor);
  }

  /** Whether a slice with so many bytes of payloads is worth it. */
  public static boolean isWorth(long payloadBytes) {
    return payloadBytes >= BYTES_MIN;
  }

  /** Looks at a slice soon. */
  public void add(SiftedSlice slice) {
    synchronized (this) {
      if (cancelled || line.size() >= LINE_MAX) {
        return;
      }
      line.add(slice);
      if (running) {
        return;
      }
      running = true;
    }
    submit();
  }

  /** One slice a turn at the most, so that others have theirs. */
  private void submit() {
    try {
      executor.execute(this::turn);
    } catch (RejectedExecutionException e) {
      cancel(); // The merge looks itself.
    }
  }

  private void turn() {
    SiftedSlice next = begun != null ? begun : next();
    if (next != null) {
      begun = next.sift(filter, () -> cancelled) ? next : null;
      submit();
    }
  }

  private synchronized @Nullable SiftedSlice next() {
    SiftedSlice next = line.poll();
    running = next != null;
    return next;
  }

  /** Looks at nothing any more. Safe from any thread. */
  public synchronized void cancel() {
    cancelled = true;
    line.clear();
  }
}
