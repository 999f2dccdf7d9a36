/** JSON values for expressions, with limits on work and memory, and scanners of payloads. */
@NullMarked
package hourglass.query.where.json;

import org.jspecify.annotations.NullMarked;
