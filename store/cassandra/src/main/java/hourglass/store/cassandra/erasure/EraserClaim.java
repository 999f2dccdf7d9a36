package hourglass.store.cassandra.erasure;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The claim to be the one process that removes the bytes of erasures. Its holder shows life by
 * another beat now and then; after a long silence, another process replaces it. Both count by their
 * own monotonic clocks. Thread-safe.
 */
public final class EraserClaim {
  private final Supplier<ErasuresTable> table;
  private final LongSupplier nanoTime;
  private final long beatNanos;
  private final long heldNanos;
  private final long silenceNanos;

  /** The name of this process, which differs for each start. */
  private final String worker = Long.toUnsignedString(new SecureRandom().nextLong(), 36);

  private boolean isHeld;
  private long shownNanos;

  /** The last beat of another process, and when it was first seen. */
  private @Nullable UUID otherBeat;

  private long otherNanos;

  /**
   * Creates a claim that is not held.
   *
   * @param unit the holder shows life four times as often, trusts in its claim for twice as long,
   *     and is replaced after three times as long
   */
  public EraserClaim(Supplier<ErasuresTable> table, LongSupplier nanoTime, Duration unit) {
    this.table = table;
    this.nanoTime = nanoTime;
    this.beatNanos = unit.toNanos() / 4;
    this.heldNanos = unit.toNanos() * 2;
    this.silenceNanos = unit.toNanos() * 3;
  }

  public String worker() {
    return worker;
  }

  /** Takes the claim if nobody holds it, or if its holder is silent. */
  public CompletionStage<Boolean> take() {
    ErasuresTable now = table.get();
    long sinceNanos = nanoTime.getAsLong();
    return now.head()
        .thenCompose(
            head ->
                mayTake(head)
                    ? now.take(worker, head.beat())
                    : CompletableFuture.completedFuture(false))
        .thenApply(taken -> shown(sinceNanos, taken));
  }

  private synchronized boolean mayTake(ErasuresTable.Head head) {
    if (head.worker() == null || head.worker().equals(worker)) {
      return true;
    }
    long now = nanoTime.getAsLong();
    if (!Objects.equals(head.beat(), otherBeat)) {
      otherBeat = head.beat();
      otherNanos = now;
    }
    return now - otherNanos >= silenceNanos;
  }

  private synchronized boolean shown(long sinceNanos, boolean applied) {
    isHeld = applied;
    shownNanos = sinceNanos;
    return applied;
  }

  /**
   * Shows life if that is due. Completes with whether this process holds the claim; fails if that
   * is not known.
   */
  public CompletionStage<Boolean> keep() {
    long sinceNanos = nanoTime.getAsLong();
    synchronized (this) {
      if (!isHeld || sinceNanos - shownNanos < beatNanos) {
        return CompletableFuture.completedFuture(isHeld);
      }
    }
    return table.get().beat(worker).thenApply(applied -> shown(sinceNanos, applied));
  }

  /** Returns whether no other process can have taken the claim. */
  public synchronized boolean isHeld() {
    return isHeld && nanoTime.getAsLong() - shownNanos < heldNanos;
  }

  /** Gives the claim up, if this process holds it. */
  public CompletionStage<Boolean> release() {
    synchronized (this) {
      isHeld = false;
    }
    return table.get().release(worker);
  }
}
