/**
 * The columns that become visible after readers have passed their time. Begin with {@code
 * LateArrivalDetector} and {@code LateArrivalIndex}.
 */
@NullMarked
package hourglass.store.embedded.late;

import org.jspecify.annotations.NullMarked;
