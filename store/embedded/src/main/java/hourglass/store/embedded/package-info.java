/**
 * The embedded engine: a commit log, open runs in memory, and pages in Chronicle Maps for each
 * hour.
 *
 * <pre>
 * write --> CommitLog (append, group fsync) --> OpenRun (memory) --> Flusher --> PageFiles (disk)
 * read  <-- RowPartsReader <-- RowContent { OpenRun..., PageRef... } <-- PageFiles
 * </pre>
 *
 * A write completes after its columns are forced to the log. The log is cut after the pages and
 * their inventory are forced.
 */
@NullMarked
package hourglass.store.embedded;

import org.jspecify.annotations.NullMarked;
