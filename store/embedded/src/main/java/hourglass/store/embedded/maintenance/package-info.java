/**
 * The work on pages in the background: flush, seal, compact, merge, delete. Begin with {@code
 * Flusher}.
 */
@NullMarked
package hourglass.store.embedded.maintenance;

import org.jspecify.annotations.NullMarked;
