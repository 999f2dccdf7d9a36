/**
 * The engine on Apache Cassandra: the same rows on a cluster, for any number of processes. {@link
 * hourglass.store.cassandra.CassandraStore} is the door.
 */
@NullMarked
package hourglass.store.cassandra;

import org.jspecify.annotations.NullMarked;
