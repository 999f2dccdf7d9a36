/**
 * Rows that are sealed, kept off the heap. {@link hourglass.query.cache.RowSource} is how queries
 * read rows; {@link hourglass.query.cache.CachedRows} is the one that remembers.
 */
@NullMarked
package hourglass.query.cache;

import org.jspecify.annotations.NullMarked;
