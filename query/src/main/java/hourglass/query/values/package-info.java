/**
 * Statistics on the values of a field in bounded memory: the distribution of numbers and the most
 * frequent values. Pure: no store and no JSON.
 */
@NullMarked
package hourglass.query.values;

import org.jspecify.annotations.NullMarked;
