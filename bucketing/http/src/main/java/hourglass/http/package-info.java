/**
 * Handles the bodies of requests, which are read while they are small, paused, or left unread, and
 * writes the bodies of errors. Start with {@link hourglass.http.SmallBodies}.
 */
@NullMarked
package hourglass.http;

import org.jspecify.annotations.NullMarked;
