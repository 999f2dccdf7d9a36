/** Live tails: events as they become visible, in order and each once. Begin with TailService. */
@NullMarked
package hourglass.query.tail;

import org.jspecify.annotations.NullMarked;
