/** The language LogQL, as text and as a tree. Begin with LogQl. */
@NullMarked
package hourglass.query.logql;

import org.jspecify.annotations.NullMarked;
