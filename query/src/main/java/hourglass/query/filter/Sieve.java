package hourglass.query.filter;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Filters slices ahead of the merge, on another thread. The merge does not wait, and still receives
 * every column: it chooses among events of one name before the filter applies. Thread-safe.
 */
public final class Sieve {
  /** Smaller slices are cheaper to filter than to hand over. */
  private static final int BYTES_MIN = 64 << 10;

  /** Slices that wait at the same time. The merge filters all further ones itself. */
  private static final int LINE_MAX = 64;

  private final EventFilter filter;
  private final Executor executor;

  /** Guarded by this. */
  private final Queue<SiftedSlice> line = new ArrayDeque<>();

  /** Guarded by this. */
  private boolean running;

  /** The slice that the last turn did not finish. Used by turns only, which never overlap. */
  private @Nullable SiftedSlice begun;

  private volatile boolean cancelled;

  private Sieve(EventFilter filter, Executor executor) {
    this.filter = filter.until(() -> cancelled);
    this.executor = executor;
  }

  /** Returns null if there is no filter. */
  public static @Nullable Sieve of(@Nullable EventFilter filter, Executor executor) {
    return filter == null ? null : new Sieve(filter, executor);
  }

  public static boolean isWorth(long payloadBytes) {
    return payloadBytes >= BYTES_MIN;
  }

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

  /** Runs at most one slice per turn, so that other tasks get their share. */
  private void submit() {
    try {
      executor.execute(this::turn);
    } catch (RejectedExecutionException e) {
      cancel(); // The merge filters by itself.
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

  public synchronized void cancel() {
    cancelled = true;
    line.clear();
  }
}
