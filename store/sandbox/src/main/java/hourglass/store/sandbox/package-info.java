/**
 * Real Cassandra and Kafka on the loopback, as child processes, for the tests and for {@code
 * ./hourglass sandbox}.
 *
 * <pre>
 * this JVM --pipe--> ParentWatchdog { CassandraDaemon }   127.0.0.1, .2, .3
 *          --pipe--> ParentWatchdog { Kafka }             127.0.0.1
 * </pre>
 *
 * A server holds one end of a pipe and ends when the other end closes, which the kernel does
 * however this JVM ends. The servers' jars come from Maven on first use and stay on class paths of
 * their own.
 */
@NullMarked
package hourglass.store.sandbox;

import org.jspecify.annotations.NullMarked;
