/** CEL expressions over the bytes of payloads. */
@NullMarked
package hourglass.query.where;

import org.jspecify.annotations.NullMarked;
