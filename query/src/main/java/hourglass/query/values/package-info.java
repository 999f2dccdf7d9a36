/** Statistics on the values of a field, in bounded memory. */
@NullMarked
package hourglass.query.values;

import org.jspecify.annotations.NullMarked;
