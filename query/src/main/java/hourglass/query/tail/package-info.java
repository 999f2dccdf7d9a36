/** Live tails: events as they become visible, in order and each once. Start with TailService. */
@NullMarked
package hourglass.query.tail;

import org.jspecify.annotations.NullMarked;
