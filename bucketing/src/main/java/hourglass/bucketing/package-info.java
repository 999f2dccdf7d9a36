/** The hour, row and column name of an event, as pure functions without a store or a wall clock. */
@NullMarked
package hourglass.bucketing;

import org.jspecify.annotations.NullMarked;
