/**
 * The commit log: its segments, the thread that writes them, and their replay at start. Begin with
 * {@code LogWriter}.
 */
@NullMarked
package hourglass.store.embedded.log;

import org.jspecify.annotations.NullMarked;
