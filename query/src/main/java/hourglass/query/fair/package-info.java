/**
 * Shares of places, threads and memory among the clients of queries. They bind only under
 * contention. A query's thread, and the answer that it writes.
 */
@NullMarked
package hourglass.query.fair;

import org.jspecify.annotations.NullMarked;
