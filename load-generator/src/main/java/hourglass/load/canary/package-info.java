/**
 * Checks that events sent alongside other traffic become visible and remain stored. Begin with
 * {@link hourglass.load.canary.CanaryRun}.
 */
@NullMarked
package hourglass.load.canary;

import org.jspecify.annotations.NullMarked;
