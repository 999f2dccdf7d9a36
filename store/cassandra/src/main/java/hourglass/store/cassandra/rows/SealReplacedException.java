package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;

/** What a row is read from was replaced, or may have been; the reader begins again. */
public final class SealReplacedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The read lasted longer than what it was to read is kept. */
  public SealReplacedException(RowKey row) {
    super(row + ": what it was read from may have been replaced meanwhile");
  }

  SealReplacedException(RowKey row, long seal) {
    super(row + ": pages of its seal " + seal + " are missing; replaced meanwhile, or lost");
  }
}
