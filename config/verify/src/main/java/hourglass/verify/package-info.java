/**
 * Runs the tests of all modules, several at a time, each in a JVM of its own. Shows a line of
 * progress, and ends with the failures and the commands that repeat them.
 */
@NullMarked
package hourglass.verify;

import org.jspecify.annotations.NullMarked;
