package hourglass.store.embedded.memory;

import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The memory budget for columns that are not in pages yet. Thread-safe. */
public final class MemoryBudget {
  /**
   * The memory of a mutation's row, key, run and names, and of its entries in a queue, a map and
   * lists.
   */
  private static final long MUTATION_BYTES = 384;

  private final long bytesMax;
  private final AtomicLong used = new AtomicLong();

  public MemoryBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  public static long of(Mutation mutation) {
    return mutation.columns().memoryBytes() + mutation.row().type().length() + MUTATION_BYTES;
  }

  /**
   * Reserves bytes. Throws OverloadedException if they exceed the free budget, and
   * TooLargeException if they exceed the whole.
   */
  public void reserve(long bytes) {
    if (bytes > bytesMax) {
      throw new TooLargeException(
          ("a write that takes %s bytes of memory never fits into store.embedded.memory-budget,"
                  + " %s bytes: send less at a time, or make it larger")
              .formatted(bytes, bytesMax));
    }
    // Even a refused write must not exceed the budget: other writes would be refused too.
    long before = used.getAndUpdate(now -> now + bytes > bytesMax ? now : now + bytes);
    if (before + bytes > bytesMax) {
      throw new OverloadedException(
          "open pages: %s of %s bytes are in use, %s more do not fit until pages are flushed"
              .formatted(before, bytesMax, bytes),
          Duration.ofSeconds(1));
    }
  }

  /** Adds bytes without a limit, for columns that replay must restore. */
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
