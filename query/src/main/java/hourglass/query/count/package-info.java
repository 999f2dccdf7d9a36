/** Counts and sums over events. Begin with RowCounting, which reads payloads only where it must. */
@NullMarked
package hourglass.query.count;

import org.jspecify.annotations.NullMarked;
