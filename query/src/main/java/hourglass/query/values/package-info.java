/**
 * What the values of a field are, over any number of events, in bounded memory: how numbers are
 * distributed, and which values come most often. Pure: no store and no JSON.
 */
@NullMarked
package hourglass.query.values;

import org.jspecify.annotations.NullMarked;
