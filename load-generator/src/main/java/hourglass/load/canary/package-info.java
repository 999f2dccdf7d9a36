/**
 * Sends a few events beside the traffic of a running system, and checks that each becomes visible
 * and stays. Begin with {@link hourglass.load.canary.CanaryRun}.
 */
@NullMarked
package hourglass.load.canary;

import org.jspecify.annotations.NullMarked;
