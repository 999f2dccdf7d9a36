/** Counts and sums over events. Start with RowCounting, which reads payloads only if it must. */
@NullMarked
package hourglass.query.count;

import org.jspecify.annotations.NullMarked;
