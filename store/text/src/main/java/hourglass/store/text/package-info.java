/** Bytes to values and back. Start with {@link hourglass.store.text.Rfc3339}. */
@NullMarked
package hourglass.store.text;

import org.jspecify.annotations.NullMarked;
