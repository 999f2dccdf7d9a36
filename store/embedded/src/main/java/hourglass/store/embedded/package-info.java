/**
 * The embedded engine: a commit log, open runs in memory, and pages in files that are written once.
 *
 * <pre>
 * write --> CommitLog (append, group fsync) --> OpenRun (memory) --> Flusher --> PageCommit (disk)
 * read  <-- RowPartsReader <-- RowContent { OpenRun..., PageRef... } <-- HourPages
 * </pre>
 *
 * A write completes after its columns are forced to the log. The log is cut after the pages and the
 * catalogue are forced.
 */
@NullMarked
package hourglass.store.embedded;

import org.jspecify.annotations.NullMarked;
