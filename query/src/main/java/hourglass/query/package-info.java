/**
 * Answers questions about stored events: which rows to read, their merge in time order, pages,
 * counts. Knows no transport; {@code hourglass.query.http} is the thin layer on top.
 */
@NullMarked
package hourglass.query;

import org.jspecify.annotations.NullMarked;
