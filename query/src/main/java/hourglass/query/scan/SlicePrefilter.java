package hourglass.query.scan;

import com.google.common.base.Throwables;
import hourglass.query.fair.SerialTask;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Filters slices ahead of the merge, on another thread. The merge does not wait, and still receives
 * every column, since it chooses among events of one name before the filter applies. Thread-safe.
 */
public final class SlicePrefilter {
  /**
   * The size from which a slice is filtered ahead. Smaller ones are cheaper to filter than to pass
   * on.
   */
  private static final int BYTES_MIN = 64 << 10;

  /** The most slices that wait at the same time. The merge filters all further ones itself. */
  private static final int LINE_MAX = 64;

  private final EventFilter filter;
  private final SerialTask turns;
  private final Queue<SiftedSlice> line = new ArrayBlockingQueue<>(LINE_MAX);

  /** The slice that the last turn did not finish. Only turns use it, and they never overlap. */
  private @Nullable SiftedSlice begun;

  private volatile boolean cancelled;

  private SlicePrefilter(EventFilter filter, Executor executor) {
    this.filter = filter.until(() -> cancelled);
    turns = new SerialTask(executor, this::turn, this::fail);
  }

  /** Returns null if there is no filter. */
  public static @Nullable SlicePrefilter of(@Nullable EventFilter filter, Executor executor) {
    return filter == null ? null : new SlicePrefilter(filter, executor);
  }

  public static boolean isWorth(long payloadBytes) {
    return payloadBytes >= BYTES_MIN;
  }

  public void add(SiftedSlice slice) {
    if (!cancelled && line.offer(slice)) {
      turns.wake();
    }
  }

  /** Filters at most one slice, so that other tasks receive their share. */
  private void turn() {
    SiftedSlice next = begun != null ? begun : line.poll();
    if (next != null) {
      begun = next.sift(filter, () -> cancelled) ? next : null;
      turns.wake();
    }
  }

  /** Ends the filtering ahead; the merge then filters by itself. */
  private void fail(Throwable cause) {
    cancel();
    Throwables.throwIfInstanceOf(cause, Error.class);
  }

  public void cancel() {
    cancelled = true;
    line.clear();
  }
}
