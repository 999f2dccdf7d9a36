/** The hour, row and column name of an event, as pure functions. No store or wall clock. */
@NullMarked
package hourglass.bucketing;

import org.jspecify.annotations.NullMarked;
