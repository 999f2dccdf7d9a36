package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.client.PushAnswer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The outcomes of batches, the basis of a verification: a bit for each batch that was accepted
 * whole, and an entry for any other. Safe for any number of threads.
 */
public final class BatchOutcomes {
  /** The outcome of one event. */
  public enum Fate {
    STORED,
    UNSURE,
    NOT_STORED
  }

  /**
   * The batches that were accepted whole. Batches without a bit or an entry were rejected or never
   * sent.
   */
  private final BitSet whole = new BitSet();

  private final Map<Integer, Partial> partial = new HashMap<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  private record Partial(int[] rejectedIndexes, Fate others) {}

  /** Notes a verdict. If a rejected event is not listed, the rest of its batch is unsure. */
  synchronized void verdict(Batch batch, PushAnswer.Verdict verdict) {
    if (verdict.accepted() + verdict.rejected() != batch.events()) {
      unsure(batch);
    } else if (verdict.rejected() == 0) {
      whole.set(batch.index());
    } else if (verdict.accepted() > 0) {
      boolean allListed = verdict.rejectedIndexes().length == verdict.rejected();
      partial.put(
          batch.index(),
          new Partial(verdict.rejectedIndexes(), allListed ? Fate.STORED : Fate.UNSURE));
    }
  }

  synchronized void unsure(Batch batch) {
    partial.put(batch.index(), new Partial(new int[0], Fate.UNSURE));
  }

  /**
   * Returns the fate of one event.
   *
   * @param line the event's line in the batch, counted from 0
   */
  public synchronized Fate of(int batch, int line) {
    if (whole.get(batch)) {
      return Fate.STORED;
    }
    Partial known = partial.get(batch);
    if (known == null || Arrays.binarySearch(known.rejectedIndexes, line) >= 0) {
      return Fate.NOT_STORED;
    }
    return known.others;
  }
}
