/** JSON values as expressions see them, within bounds, and where fields of a payload stand. */
@NullMarked
package hourglass.query.where.json;

import org.jspecify.annotations.NullMarked;
