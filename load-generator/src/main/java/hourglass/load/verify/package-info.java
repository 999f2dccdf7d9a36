/**
 * The comparison of a run's acknowledged events with those read back. Begin with {@link
 * hourglass.load.verify.Verifier}.
 */
@NullMarked
package hourglass.load.verify;

import org.jspecify.annotations.NullMarked;
