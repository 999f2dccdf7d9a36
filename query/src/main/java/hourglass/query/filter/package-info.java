/** Filters on the content of events. Begin with EventFilter. */
@NullMarked
package hourglass.query.filter;

import org.jspecify.annotations.NullMarked;
