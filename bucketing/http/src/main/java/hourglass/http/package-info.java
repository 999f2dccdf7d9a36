/**
 * Bodies of requests: read while they are small, paused, or left unread; and bodies of errors.
 * Start with {@link hourglass.http.SmallBodies}.
 */
@NullMarked
package hourglass.http;

import org.jspecify.annotations.NullMarked;
