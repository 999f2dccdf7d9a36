/**
 * The parts of a row, which together contain its columns, in memory, in files or in cells. A name
 * may be in several parts. Begin with {@code Part}.
 */
@NullMarked
package hourglass.store.rows;

import org.jspecify.annotations.NullMarked;
