/** Queries for stored events and their answers, as plain values. Begin with EventQuery. */
@NullMarked
package hourglass.query;

import org.jspecify.annotations.NullMarked;
