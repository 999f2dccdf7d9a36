/** Sources of batches, and a measured run. Begin with {@link hourglass.load.send.LoadRun}. */
@NullMarked
package hourglass.load.send;

import org.jspecify.annotations.NullMarked;
