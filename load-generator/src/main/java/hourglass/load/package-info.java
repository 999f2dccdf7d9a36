/** Load scenarios with a verifier, a canary for days, and a laboratory for layouts of rows. */
@NullMarked
package hourglass.load;

import org.jspecify.annotations.NullMarked;
