/**
 * Strict HTTP/1 between the socket and the routes: idle and slow clients, host names, origins and
 * client addresses. Begin with {@link hourglass.config.http.ConnectionWatch}.
 */
@NullMarked
package hourglass.config.http;

import org.jspecify.annotations.NullMarked;
