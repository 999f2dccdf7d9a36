/**
 * The commit log: its segments, the writing of them, and their replay at start. Begin with {@code
 * LogWriter}.
 */
@NullMarked
package hourglass.store.embedded.log;

import org.jspecify.annotations.NullMarked;
