package hourglass.store.embedded.codec;

import hourglass.store.embedded.codec.bytes.CompressedBytes;
import hourglass.store.embedded.codec.bytes.NumbersLayout;

/**
 * The body of a page with whole payloads.
 *
 * <pre>
 *   +----------------------+-----------------------+---------------------------------+
 *   | names                | lengths of payloads   | payloads, one after the other   |
 *   | {@link NamesLayout}  | {@link NumbersLayout} | a frame, see {@link CompressedBytes}     |
 *   +----------------------+-----------------------+---------------------------------+
 * </pre>
 */
final class RowsLayout {
  private RowsLayout() {}
}
