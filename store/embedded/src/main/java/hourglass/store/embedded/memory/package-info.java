/**
 * The rows in memory: open runs and references to pages, and the reading of both. Begin with {@code
 * Hours} and {@code RowContent}.
 */
@NullMarked
package hourglass.store.embedded.memory;

import org.jspecify.annotations.NullMarked;
