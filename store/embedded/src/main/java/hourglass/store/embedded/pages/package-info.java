/**
 * Pages on disk: an inventory and Chronicle Maps for each hour and retention class, and a catalogue
 * of all hours. Begin with {@code PageFiles}.
 */
@NullMarked
package hourglass.store.embedded.pages;

import org.jspecify.annotations.NullMarked;
