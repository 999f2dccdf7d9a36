package hourglass.store.embedded.codec;

/** Values that are stored as they are, one after the other. */
final class TextValues extends Values {
  private byte[] bytes = new byte[0];
  private long[] lengths = new long[0];
  private int next;
  private int position;

  @Override
  void load(FieldData data, int count) {
    lengths = data.numbers(count);
    bytes = data.text(lengths);
  }

  @Override
  long length() {
    return lengths[next++];
  }

  @Override
  int write(byte[] out, int at, int end) {
    int length = (int) lengths[next++];
    int from = position;
    position += length;
    return copy(bytes, from, length, out, at, end);
  }
}
