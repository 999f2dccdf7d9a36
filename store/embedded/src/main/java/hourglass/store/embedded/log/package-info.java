/**
 * The commit log: its segments, their writing, and their replay at start. Begin with {@code
 * LogWriter}.
 */
@NullMarked
package hourglass.store.embedded.log;

import org.jspecify.annotations.NullMarked;
