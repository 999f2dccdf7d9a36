package hourglass.query.encode;

import hourglass.store.Columns;

/** One event a line. */
final class NdjsonEncoder implements EventEncoder {
  private final EventText text = new EventText();

  @Override
  public int bytesMax(RowText row, Columns columns, int i) {
    return EventText.bytes(row, columns, i) + 1;
  }

  @Override
  public int write(RowText row, Columns columns, int i, byte[] out, int at) {
    int end = text.write(row, columns, i, out, at);
    LineBreaks.toSpaces(out, end - 1 - columns.length(i), end - 1);
    out[end] = '\n';
    return end + 1;
  }
}
