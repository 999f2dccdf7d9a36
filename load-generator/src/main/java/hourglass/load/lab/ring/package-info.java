/**
 * A ring of nodes as Apache Cassandra makes one: tokens, and the node that owns the hash of a key.
 */
@NullMarked
package hourglass.load.lab.ring;

import org.jspecify.annotations.NullMarked;
