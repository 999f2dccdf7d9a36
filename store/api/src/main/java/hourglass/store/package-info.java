/**
 * The wide-column store as Hourglass needs it, independent of any engine: rows of columns sorted by
 * time UUID, a directory of the rows of each hour, and exact counts.
 */
@NullMarked
package hourglass.store;

import org.jspecify.annotations.NullMarked;
