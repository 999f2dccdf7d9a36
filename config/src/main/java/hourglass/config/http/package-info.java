/**
 * What stands between the socket and the routes: strict HTTP/1, idle and slow clients, and the
 * names and addresses of strangers. Knows nothing of events.
 */
@NullMarked
package hourglass.config.http;

import org.jspecify.annotations.NullMarked;
