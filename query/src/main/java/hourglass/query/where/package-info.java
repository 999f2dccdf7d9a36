/** Which events an expression is true for: CEL over the bytes of payloads. */
@NullMarked
package hourglass.query.where;

import org.jspecify.annotations.NullMarked;
