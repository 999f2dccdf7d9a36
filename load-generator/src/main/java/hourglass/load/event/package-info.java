/**
 * Events as bytes: lines, field mappings, times, digests, and the form in which a target returns
 * them. Begin with {@link hourglass.load.event.Mapping}.
 */
@NullMarked
package hourglass.load.event;

import org.jspecify.annotations.NullMarked;
