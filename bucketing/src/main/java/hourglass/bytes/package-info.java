/** Converts bytes to values and back. Start with {@link hourglass.bytes.Rfc3339}. */
@NullMarked
package hourglass.bytes;

import org.jspecify.annotations.NullMarked;
