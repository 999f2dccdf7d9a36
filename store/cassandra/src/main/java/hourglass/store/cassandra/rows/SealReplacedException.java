package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;

/** The pages of a sealed row were replaced while they were read; the reader begins again. */
public final class SealReplacedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SealReplacedException(RowKey row) {
    super(row + ": its pages were replaced while they were read");
  }
}
