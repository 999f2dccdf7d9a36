/**
 * The pages on disk: the inventory and Chronicle Maps of each hour and class, and the catalogue.
 * Begin with {@code PageFiles}.
 */
@NullMarked
package hourglass.store.embedded.files;

import org.jspecify.annotations.NullMarked;
