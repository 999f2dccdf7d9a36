/**
 * The bytes of events: lines, mappings, times and digests. Begin with {@link
 * hourglass.load.event.Mapping}.
 */
@NullMarked
package hourglass.load.event;

import org.jspecify.annotations.NullMarked;
