/**
 * Runs the tests of all modules, several at a time in a JVM each, with a line of progress, and ends
 * with what failed and how to repeat it.
 */
@NullMarked
package hourglass.verify;

import org.jspecify.annotations.NullMarked;
