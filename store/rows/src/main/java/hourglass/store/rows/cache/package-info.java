/** An off-heap cache of sealed rows, read through {@link hourglass.store.RowSource}. */
@NullMarked
package hourglass.store.rows.cache;

import org.jspecify.annotations.NullMarked;
