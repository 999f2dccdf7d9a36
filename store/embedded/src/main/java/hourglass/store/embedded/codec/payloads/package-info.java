/**
 * The payloads of a page, split into shapes and fields that compress well. Begin with {@code
 * ColumnsLayout}.
 */
@NullMarked
package hourglass.store.embedded.codec.payloads;

import org.jspecify.annotations.NullMarked;
