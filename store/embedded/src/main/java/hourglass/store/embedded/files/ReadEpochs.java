package hourglass.store.embedded.files;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Tells when all reads that began before a moment have ended, so that a file that only they may
 * still know can be deleted. Thread-safe.
 */
public final class ReadEpochs {
  /** The epochs with reads, the oldest first; the last one is the current epoch. */
  private final Deque<Epoch> epochs = new ArrayDeque<>();

  /** The reads that began between two calls of {@link #next}. */
  public static final class Epoch {
    private final long number;
    private int reads;

    private Epoch(long number) {
      this.number = number;
    }
  }

  public ReadEpochs() {
    epochs.add(new Epoch(0));
  }

  /** Begins a read, which must {@link #end}. */
  public synchronized Epoch begin() {
    Epoch current = epochs.getLast();
    current.reads++;
    return current;
  }

  public synchronized void end(Epoch epoch) {
    epoch.reads--;
    dropEnded();
  }

  private void dropEnded() {
    while (epochs.size() > 1 && epochs.getFirst().reads == 0) {
      epochs.removeFirst();
    }
  }

  /** Begins the next epoch. Returns the number of the last one, of the reads that began before. */
  synchronized long next() {
    long last = epochs.getLast().number;
    epochs.add(new Epoch(last + 1));
    dropEnded();
    return last;
  }

  /** Whether all reads of an epoch, and of those before it, have ended. */
  synchronized boolean hasEnded(long epoch) {
    return epochs.getFirst().number > epoch;
  }
}
