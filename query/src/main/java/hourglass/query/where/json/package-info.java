/** JSON values for expressions, and scanners of payloads. */
@NullMarked
package hourglass.query.where.json;

import org.jspecify.annotations.NullMarked;
