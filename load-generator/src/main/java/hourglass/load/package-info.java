/**
 * Load scenarios against any Hourglass target over HTTP: replay, generate, bench, and a verifier
 * that reads everything back.
 */
@NullMarked
package hourglass.load;

import org.jspecify.annotations.NullMarked;
