package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;

/**
 * Thrown when the data of a row was replaced during a read, or may have been; the reader begins
 * again.
 */
public final class SealReplacedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Reports a read that lasted longer than its data is kept. */
  public SealReplacedException(RowKey row) {
    super(row + ": what it was read from may have been replaced meanwhile");
  }

  SealReplacedException(RowKey row, long seal) {
    super(row + ": pages of its seal " + seal + " are missing; replaced meanwhile, or lost");
  }
}
