/**
 * Runs of bytes and numbers, the pieces of which a page is made. They know their own layout, and
 * nothing of columns.
 */
@NullMarked
package hourglass.store.pages.runs;

import org.jspecify.annotations.NullMarked;
