/**
 * Reports on rows: fill, skew, growth, writers, and the fit of the layout settings. Start with
 * RowsQuery.
 */
@NullMarked
package hourglass.query.advice;

import org.jspecify.annotations.NullMarked;
