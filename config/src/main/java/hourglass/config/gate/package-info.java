/**
 * Strict checks of HTTP before the routes. Begin with {@link
 * hourglass.config.gate.ConnectionWatch}.
 */
@NullMarked
package hourglass.config.gate;

import org.jspecify.annotations.NullMarked;
