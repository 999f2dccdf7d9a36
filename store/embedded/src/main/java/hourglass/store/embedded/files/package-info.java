/**
 * The pages on disk: files that are written once, with sections by hour and class, and the
 * catalogue that lists them. Begin with {@code PageCommit} and {@code HourPages}.
 */
@NullMarked
package hourglass.store.embedded.files;

import org.jspecify.annotations.NullMarked;
