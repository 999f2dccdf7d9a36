/**
 * The parts that all of a page is made of: numbers and runs of bytes, packed. Begin with {@code
 * NumbersLayout}.
 */
@NullMarked
package hourglass.store.embedded.codec.bytes;

import org.jspecify.annotations.NullMarked;
