/**
 * An off-heap cache of sealed rows. Queries read rows through {@link hourglass.store.RowSource},
 * which {@link hourglass.store.cassandra.cache.CachedRows} implements with the cache.
 */
@NullMarked
package hourglass.store.cassandra.cache;

import org.jspecify.annotations.NullMarked;
