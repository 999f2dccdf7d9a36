/**
 * Reports on rows from the directory and the claims: their fill, skew, growth and writers, and
 * whether the layout settings fit them. Start with RowsQuery.
 */
@NullMarked
package hourglass.query.advice;

import org.jspecify.annotations.NullMarked;
