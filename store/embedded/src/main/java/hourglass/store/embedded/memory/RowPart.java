package hourglass.store.embedded.memory;

import hourglass.store.rows.Part;

/** A part of a row that is in the log, or was. */
public sealed interface RowPart extends Part permits OpenRun, PageRef {
  /** The newest log group among its columns. */
  long group();
}
