/**
 * Queries for stored events and their answers, as plain values. Begin with Selection and
 * EventQuery; the packages below read, count, encode and serve them.
 */
@NullMarked
package hourglass.query;

import org.jspecify.annotations.NullMarked;
