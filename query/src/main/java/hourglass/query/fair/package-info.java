/**
 * Shares of places, threads and memory among the clients of queries. They bind only under
 * contention.
 */
@NullMarked
package hourglass.query.fair;

import org.jspecify.annotations.NullMarked;
