/**
 * Checks that events sent beside other traffic become visible and stay. Begin with {@link
 * hourglass.load.canary.CanaryRun}.
 */
@NullMarked
package hourglass.load.canary;

import org.jspecify.annotations.NullMarked;
