/**
 * What the directory and the claims tell of rows: how full, how even, how fast, whose, and whether
 * the settings that made them fit. Pure: no store and no clock of its own.
 */
@NullMarked
package hourglass.query.advice;

import org.jspecify.annotations.NullMarked;
