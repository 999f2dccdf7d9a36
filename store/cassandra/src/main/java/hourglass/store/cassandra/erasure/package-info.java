/**
 * The tables of erasures, what a process has seen of them, and the claim of the one that removes
 * bytes.
 */
@NullMarked
package hourglass.store.cassandra.erasure;

import org.jspecify.annotations.NullMarked;
