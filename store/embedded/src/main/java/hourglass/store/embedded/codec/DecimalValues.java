package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;

/** Values that are decimal numbers. */
final class DecimalValues extends Values {
  private final DecimalStyle text;
  private final int exponent;
  private long[] numbers = new long[0];
  private int next;

  DecimalValues(PageInput description) {
    text = DecimalStyle.read(description);
    exponent = description.getByte() - 1;
    if (exponent > TimePrediction.EXPONENT_MAX) {
      throw new CorruptException("page: numbers of 10^-" + exponent + " seconds are unknown");
    }
  }

  @Override
  void load(FieldData data, int count) {
    numbers = exponent < 0 ? data.numbers(count) : data.numbersFromTimes(count, exponent);
    check(numbers, -Long.MAX_VALUE);
  }

  /** Refuses numbers below a least one. */
  static void check(long[] numbers, long min) {
    for (long number : numbers) {
      if (number < min) {
        throw new CorruptException("page: values: " + number + " < " + min);
      }
    }
  }

  @Override
  long length() {
    return text.length(numbers[next++]);
  }

  @Override
  int write(byte[] out, int at, int end) {
    return text.write(numbers[next++], out, at);
  }
}
