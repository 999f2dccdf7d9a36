/**
 * Compares a run, read back, with its acknowledged events. Begin with {@link
 * hourglass.load.verify.Verifier}.
 */
@NullMarked
package hourglass.load.verify;

import org.jspecify.annotations.NullMarked;
