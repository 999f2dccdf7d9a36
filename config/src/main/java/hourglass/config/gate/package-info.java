/**
 * Strict checks of HTTP before the routes. Begin with {@link
 * hourglass.config.gate.HttpConnections}.
 */
@NullMarked
package hourglass.config.gate;

import org.jspecify.annotations.NullMarked;
