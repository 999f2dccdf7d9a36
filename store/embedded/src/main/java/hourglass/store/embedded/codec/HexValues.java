package hourglass.store.embedded.codec;

/** Values that are hexadecimal numbers of one length. */
final class HexValues extends Values {
  private final HexStyle text;
  private final long[][] numbers;
  private int next;

  HexValues(PageInput description) {
    text = HexStyle.read(description);
    numbers = new long[text.numbers()][];
  }

  @Override
  void load(FieldData data, int count) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = data.numbers(count);
    }
  }

  @Override
  long length() {
    return text.length();
  }

  @Override
  int write(byte[] out, int at, int end) {
    return text.write(numbers, next++, out, at);
  }
}
