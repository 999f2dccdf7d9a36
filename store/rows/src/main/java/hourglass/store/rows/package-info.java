/**
 * The parts of a row that hold its columns between them, in memory, in files or in cells. A name
 * may be in several parts. Begin with {@code Part}.
 */
@NullMarked
package hourglass.store.rows;

import org.jspecify.annotations.NullMarked;
