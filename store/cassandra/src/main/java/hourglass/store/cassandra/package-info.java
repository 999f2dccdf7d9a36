/**
 * The engine on Apache Cassandra: the same rows on a cluster, shared by any number of processes.
 * Start with {@link hourglass.store.cassandra.CassandraStore}.
 */
@NullMarked
package hourglass.store.cassandra;

import org.jspecify.annotations.NullMarked;
