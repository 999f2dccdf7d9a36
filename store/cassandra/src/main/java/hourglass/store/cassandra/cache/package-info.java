/** An off-heap cache of sealed rows, read through {@link hourglass.store.RowSource}. */
@NullMarked
package hourglass.store.cassandra.cache;

import org.jspecify.annotations.NullMarked;
