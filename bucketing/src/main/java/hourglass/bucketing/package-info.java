/**
 * The hour, row and column name of an event, as pure functions. No store, no transport, no wall
 * clock of its own.
 */
@NullMarked
package hourglass.bucketing;

import org.jspecify.annotations.NullMarked;
