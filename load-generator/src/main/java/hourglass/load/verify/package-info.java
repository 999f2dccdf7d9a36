/**
 * Reads a run back and compares it with the events that were acknowledged. Begin with {@link
 * hourglass.load.verify.Verifier}.
 */
@NullMarked
package hourglass.load.verify;

import org.jspecify.annotations.NullMarked;
