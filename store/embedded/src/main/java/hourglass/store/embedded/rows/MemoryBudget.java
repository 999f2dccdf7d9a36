package hourglass.store.embedded.rows;

import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Memory for columns that are not in pages yet. Thread-safe. */
public final class MemoryBudget {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /**
   * What a mutation takes beside its columns and its type: its row with its key, run and names, its
   * place in a queue, in a map and in lists.
   */
  private static final long MUTATION_BYTES = 384;

  private final long bytesMax;
  private final AtomicLong used = new AtomicLong();

  public MemoryBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** What a mutation takes of memory until it is in a page. */
  public static long of(Mutation mutation) {
    return mutation.columns().memoryBytes() + mutation.row().type().length() + MUTATION_BYTES;
  }

  /**
   * Takes a part.
   *
   * @throws OverloadedException if it would pass the budget
   * @throws TooLargeException if it is more than the budget
   */
  public void reserve(long bytes) {
    if (bytes > bytesMax) {
      throw new TooLargeException(
          "a write that takes "
              + bytes
              + " bytes of memory never fits into store.embedded.memory-budget, "
              + bytesMax
              + " bytes: send less at a time, or make it larger");
    }
    // Never over it, not even while being refused: others would be refused for that.
    long before = used.getAndUpdate(now -> now + bytes > bytesMax ? now : now + bytes);
    if (before + bytes > bytesMax) {
      throw new OverloadedException(
          "open pages: "
              + before
              + " of "
              + bytesMax
              + " bytes are in use, "
              + bytes
              + " more do not fit until pages are flushed",
          RETRY_AFTER);
    }
  }

  /** Takes a part without asking: what is on disk already must come back after a restart. */
  public void take(long bytes) {
    used.addAndGet(bytes);
  }

  public void release(long bytes) {
    used.addAndGet(-bytes);
  }

  public long used() {
    return used.get();
  }
}
