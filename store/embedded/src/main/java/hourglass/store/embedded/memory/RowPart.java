package hourglass.store.embedded.memory;

import hourglass.store.rows.Part;

/** A part of a row whose columns are in the log, or were. */
public sealed interface RowPart extends Part permits OpenRun, PageRef {
  /** The newest log group of its columns. */
  long group();
}
