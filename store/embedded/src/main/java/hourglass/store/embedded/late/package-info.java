/**
 * Late arrivals: columns that become visible after readers have passed their time. Begin with
 * {@code LateArrivalDetector}, which finds them, and {@code LateArrivalIndex}, which keeps them.
 */
@NullMarked
package hourglass.store.embedded.late;

import org.jspecify.annotations.NullMarked;
