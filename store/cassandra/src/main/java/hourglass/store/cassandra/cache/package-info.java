/**
 * Rows that are sealed, kept off the heap. {@link hourglass.store.RowSource} is how queries read
 * rows; {@link hourglass.store.cassandra.cache.CachedRows} is the one that remembers.
 */
@NullMarked
package hourglass.store.cassandra.cache;

import org.jspecify.annotations.NullMarked;
