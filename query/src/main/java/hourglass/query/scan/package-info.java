/** Reads the rows of hours and merges them by name. Start with EventScan. */
@NullMarked
package hourglass.query.scan;

import org.jspecify.annotations.NullMarked;
