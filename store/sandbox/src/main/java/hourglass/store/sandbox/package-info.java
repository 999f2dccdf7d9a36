/**
 * Real Cassandra and Kafka on the loopback, as child processes, for tests and for {@code
 * ./hourglass sandbox}.
 *
 * <pre>
 * this JVM --pipe--> ParentWatchdog { CassandraDaemon }   127.0.0.1, .2, .3
 *          --pipe--> ParentWatchdog { Kafka }             127.0.0.1
 * </pre>
 *
 * A server holds one end of a pipe and ends when the other end closes; the kernel closes it when
 * this JVM ends. Maven loads the servers' jars on first use; they stay on class paths of their own.
 */
@NullMarked
package hourglass.store.sandbox;

import org.jspecify.annotations.NullMarked;
