package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;

/** Payloads as shapes and values, to assemble once. */
final class ColumnsReading {
  private final int payloadBytes;
  private final Shape[] shapes;
  private final byte[] shapeOf;
  private final Values[] fields;

  ColumnsReading(int payloadBytes, Shape[] shapes, byte[] shapeOf, Values[] fields) {
    this.payloadBytes = payloadBytes;
    this.shapes = shapes;
    this.shapeOf = shapeOf;
    this.fields = fields;
  }

  /**
   * Assembles the payloads.
   *
   * @param offsets receives the start of each payload, and the end of the last
   */
  byte[] payloads(int[] offsets) {
    int end = payloadBytes;
    byte[] out = new byte[end + ByteWords.SLACK];
    int at = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      at = payload(shapes[shapeOf[i]], out, at, end);
      offsets[i + 1] = at;
    }
    checkEnd(at);
    return out;
  }

  private int payload(Shape shape, byte[] out, int start, int end) {
    int at = start;
    int values = shape.values();
    byte[] parts = shape.bytes();
    for (int i = 0; i < values; i++) {
      at = Values.copy(parts, shape.partStart(i), shape.partLength(i), out, at, end);
      at = fields[shape.field(i)].write(out, at, end);
    }
    return Values.copy(parts, shape.partStart(values), shape.partLength(values), out, at, end);
  }

  /** Computes the offsets of the payloads without assembling them. */
  void lengths(int[] offsets) {
    long end = 0;
    for (int i = 0; i < shapeOf.length; i++) {
      Shape shape = shapes[shapeOf[i]];
      int values = shape.values();
      end += shape.partStart(values + 1);
      for (int v = 0; v < values; v++) {
        end += fields[shape.field(v)].length();
      }
      if (end > payloadBytes) {
        break;
      }
      offsets[i + 1] = (int) end;
    }
    checkEnd(end);
  }

  private void checkEnd(long end) {
    if (end != payloadBytes) {
      throw new CorruptException("page: payloads of " + end + " bytes, not " + payloadBytes);
    }
  }
}
