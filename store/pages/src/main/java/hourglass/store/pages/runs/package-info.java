/**
 * Runs of bytes and numbers. A page consists of them. Each has a layout of its own, which does not
 * depend on columns. Begin with {@link hourglass.store.pages.runs.CompressedBytes}.
 */
@NullMarked
package hourglass.store.pages.runs;

import org.jspecify.annotations.NullMarked;
