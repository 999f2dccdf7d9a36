/** Counts and sums over events. Start with EventCounter, which reads payloads only if it must. */
@NullMarked
package hourglass.query.count;

import org.jspecify.annotations.NullMarked;
