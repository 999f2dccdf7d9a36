/**
 * Scenarios and recordings, which become a schedule of events. Begin with {@link
 * hourglass.load.lab.traffic.Schedule}.
 */
@NullMarked
package hourglass.load.lab.traffic;

import org.jspecify.annotations.NullMarked;
