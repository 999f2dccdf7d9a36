/**
 * One serving process: the composition root {@code Hourglass}, its HTTP port, and its health. Begin
 * with {@link hourglass.config.server.Hourglass}.
 */
@NullMarked
package hourglass.config.server;

import org.jspecify.annotations.NullMarked;
