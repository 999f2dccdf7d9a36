/**
 * A ring of nodes like that of Apache Cassandra: tokens, and the node that owns the hash of a key.
 * Begin with {@link hourglass.load.lab.ring.Ring}.
 */
@NullMarked
package hourglass.load.lab.ring;

import org.jspecify.annotations.NullMarked;
