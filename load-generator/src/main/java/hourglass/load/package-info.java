/**
 * Load scenarios against any Hourglass target over HTTP: replay, generate, bench, and a verifier
 * that reads everything back; a canary that does both at once for days; and a laboratory that
 * compares layouts of rows, in a store or on a simulated ring.
 */
@NullMarked
package hourglass.load;

import org.jspecify.annotations.NullMarked;
