/**
 * Late arrivals on Cassandra: their table, and when a writer records them. Start with {@link
 * hourglass.store.cassandra.late.LateArrivalRecorder}.
 */
@NullMarked
package hourglass.store.cassandra.late;

import org.jspecify.annotations.NullMarked;
