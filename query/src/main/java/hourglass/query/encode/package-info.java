/** The formats of events in an answer's body. Begin with EventFormat. */
@NullMarked
package hourglass.query.encode;

import org.jspecify.annotations.NullMarked;
