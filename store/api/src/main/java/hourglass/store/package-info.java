/**
 * The wide-column store as Hourglass needs it: rows of columns sorted by time UUID, a directory of
 * the rows of each hour, and exact counts. Independent of any engine.
 */
@NullMarked
package hourglass.store;

import org.jspecify.annotations.NullMarked;
