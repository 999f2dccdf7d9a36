/**
 * Runs of bytes and numbers, the pieces of which a page is made. Each has a layout of its own,
 * which does not depend on columns. Begin with {@link hourglass.store.pages.runs.CompressedBytes}.
 */
@NullMarked
package hourglass.store.pages.runs;

import org.jspecify.annotations.NullMarked;
