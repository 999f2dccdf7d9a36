/**
 * Pages on disk: inventory and Chronicle Maps of each hour and class, and the catalogue. Begin with
 * {@code PageFiles}.
 */
@NullMarked
package hourglass.store.embedded.pages;

import org.jspecify.annotations.NullMarked;
