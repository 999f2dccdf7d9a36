package hourglass.store.embedded.codec;

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
