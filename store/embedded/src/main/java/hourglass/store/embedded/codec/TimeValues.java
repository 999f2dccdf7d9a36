package hourglass.store.embedded.codec;

/** Values that are times. */
final class TimeValues extends Values {
  private final TimeStyle text;
  private long[] numbers = new long[0];
  private int next;

  TimeValues(PageInput description) {
    text = TimeStyle.read(description);
  }

  @Override
  void load(FieldData data, int count) {
    numbers = data.numbersFromTimes(count, text.exponent());
  }

  @Override
  long length() {
    return text.length();
  }

  @Override
  int write(byte[] out, int at, int end) {
    return text.write(numbers[next++], out, at);
  }
}
