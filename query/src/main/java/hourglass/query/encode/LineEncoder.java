package hourglass.query.encode;

import hourglass.bytes.LineBreaks;
import hourglass.store.Columns;

/** Encodes each event, or only its payload, as a line. */
final class LineEncoder implements EventEncoder {
  private final EventText text = new EventText();
  private final boolean raw;

  LineEncoder(boolean raw) {
    this.raw = raw;
  }

  @Override
  public int bytesMax(RowText row, Columns columns, int i) {
    return (raw ? columns.length(i) : EventText.bytes(row, columns, i)) + 1;
  }

  @Override
  public int write(RowText row, Columns columns, int i, byte[] out, int at) {
    int end;
    if (raw) {
      end = at + columns.length(i);
      System.arraycopy(columns.bytes(), columns.offset(i), out, at, end - at);
      LineBreaks.toSpaces(out, at, end);
    } else {
      end = text.write(row, columns, i, out, at);
      LineBreaks.toSpaces(out, end - 1 - columns.length(i), end - 1);
    }
    out[end] = '\n';
    return end + 1;
  }
}
