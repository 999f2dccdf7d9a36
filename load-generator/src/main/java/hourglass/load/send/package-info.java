/**
 * The sources of batches, and a measured run that sends them. Begin with {@link
 * hourglass.load.send.LoadRun}.
 */
@NullMarked
package hourglass.load.send;

import org.jspecify.annotations.NullMarked;
