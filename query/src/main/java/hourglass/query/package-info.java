/**
 * Questions about stored events and their answers, as plain values. Begin with Selection and
 * EventQuery; the rooms below read, count, encode and serve them.
 */
@NullMarked
package hourglass.query;

import org.jspecify.annotations.NullMarked;
