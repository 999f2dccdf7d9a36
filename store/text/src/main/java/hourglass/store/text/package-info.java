/**
 * Bytes to values and back: times, dates, UTF-8 and hexadecimal digits. Start with {@link
 * hourglass.store.text.Rfc3339}.
 */
@NullMarked
package hourglass.store.text;

import org.jspecify.annotations.NullMarked;
