package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;

/** The pages of a sealed row were replaced while they were read; the reader begins again. */
public final class SealReplacedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SealReplacedException(RowKey row, long seal) {
    super(row + ": pages of its seal " + seal + " are missing; replaced meanwhile, or lost");
  }
}
