/** The assembly of one serving process. Begin with {@link hourglass.config.server.Hourglass}. */
@NullMarked
package hourglass.config.server;

import org.jspecify.annotations.NullMarked;
