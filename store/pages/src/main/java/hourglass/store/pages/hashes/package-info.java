/**
 * The hashes of values and words by which pages are found, and the dictionary that tells the words
 * with a part. See docs/page-format.md and docs/value-index-format.md.
 */
@NullMarked
package hourglass.store.pages.hashes;

import org.jspecify.annotations.NullMarked;
