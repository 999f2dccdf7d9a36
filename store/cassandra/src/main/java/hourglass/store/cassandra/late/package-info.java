/**
 * Late arrivals on Cassandra. Start with {@link
 * hourglass.store.cassandra.late.LateArrivalRecorder}.
 */
@NullMarked
package hourglass.store.cassandra.late;

import org.jspecify.annotations.NullMarked;
