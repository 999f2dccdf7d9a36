package hourglass.query.encode;

import hourglass.store.Columns;

/** One payload a line. */
final class RawEncoder implements EventEncoder {

  @Override
  public int bytesMax(RowText row, Columns columns, int i) {
    return columns.length(i) + 1;
  }

  @Override
  public int write(RowText row, Columns columns, int i, byte[] out, int at) {
    int end = at + columns.length(i);
    System.arraycopy(columns.bytes(), columns.offset(i), out, at, end - at);
    LineBreaks.toSpaces(out, at, end);
    out[end] = '\n';
    return end + 1;
  }
}
