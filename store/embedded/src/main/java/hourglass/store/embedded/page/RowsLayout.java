package hourglass.store.embedded.page;

/**
 * The body of a page whose payloads stay whole.
 *
 * <pre>
 *   +----------------------+-----------------------+---------------------------------+
 *   | names                | lengths of payloads   | payloads, one after the other   |
 *   | {@link NamesLayout}  | {@link NumbersLayout} | a frame, see {@link Frames}     |
 *   +----------------------+-----------------------+---------------------------------+
 * </pre>
 */
final class RowsLayout {
  private RowsLayout() {}
}
