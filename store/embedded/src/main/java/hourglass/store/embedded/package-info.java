/**
 * The embedded engine: commit log, open pages in memory, sealed pages in a Chronicle Map per hour.
 *
 * <pre>
 * write --> CommitLog (append, group fsync) --> OpenRun (memory) --> Flusher --> PageFiles (disk)
 * read  <-- RowContentReader <-- RowContent { OpenRun..., PageRef... } <-- PageFiles
 * </pre>
 *
 * An acknowledged column survives kill -9 and power loss: it is in the log, forced, before the
 * write completes, and the log is cut only after its pages and their inventory are forced.
 */
@NullMarked
package hourglass.store.embedded;

import org.jspecify.annotations.NullMarked;
