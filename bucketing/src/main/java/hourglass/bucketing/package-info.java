/**
 * Where an event belongs: its hour, its row and its column name. Pure functions of an event; no
 * store, no transport, no wall clock of its own.
 */
@NullMarked
package hourglass.bucketing;

import org.jspecify.annotations.NullMarked;
