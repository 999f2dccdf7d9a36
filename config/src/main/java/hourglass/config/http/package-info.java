/** Strict HTTP/1 before the routes. Begin with {@link hourglass.config.http.ConnectionWatch}. */
@NullMarked
package hourglass.config.http;

import org.jspecify.annotations.NullMarked;
