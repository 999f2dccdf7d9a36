/**
 * Pages, each of which contains thousands of columns of one row as one checksummed, compressed
 * value. See docs/page-format.md.
 */
@NullMarked
package hourglass.store.pages;

import org.jspecify.annotations.NullMarked;
