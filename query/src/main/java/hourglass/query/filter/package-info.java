/** Which events a query wants beyond their rows and times. Begin with EventFilter. */
@NullMarked
package hourglass.query.filter;

import org.jspecify.annotations.NullMarked;
