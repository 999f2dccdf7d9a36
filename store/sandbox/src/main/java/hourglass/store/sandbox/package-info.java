/**
 * Real Cassandra and Kafka on the loopback, as child processes, for tests and for {@code
 * ./hourglass sandbox}.
 *
 * <pre>
 * this JVM --pipe--> ParentWatchdog { CassandraDaemon }   127.0.0.1, .2, .3
 *          --pipe--> ParentWatchdog { Kafka }             127.0.0.1
 * </pre>
 *
 * <p>A server ends when its pipe from this JVM closes. Maven loads the servers' jars on first use;
 * they stay on class paths of their own.
 */
@NullMarked
package hourglass.store.sandbox;

import org.jspecify.annotations.NullMarked;
