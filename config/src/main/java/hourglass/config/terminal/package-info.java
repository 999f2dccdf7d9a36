/**
 * The commands that ask a running server questions. Begin with {@link
 * hourglass.config.terminal.Terminal}. No class here starts Vert.x or the log, so that an answer
 * takes little longer than the start of a JVM.
 */
@NullMarked
package hourglass.config.terminal;

import org.jspecify.annotations.NullMarked;
