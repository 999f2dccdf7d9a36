package hourglass.query.count;

import hourglass.query.values.NumberTally;
import hourglass.query.where.json.JsonNumber;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Collects the numbers of a field. */
final class NumberBatch extends FieldBatch {
  private static final int NUMBERS_MAX = 1_024;

  private final NumberTally tally;
  private final LongConsumer grown;

  /** Small at first: most types have few events in an hour. */
  private double[] numbers = new double[16];

  private int size;
  private long absent;
  private long notNumeric;

  /**
   * @param grown receives the bytes by which the tally grew
   */
  NumberBatch(String path, NumberTally tally, BooleanSupplier gone, LongConsumer grown) {
    super(path, gone);
    this.tally = tally;
    this.grown = grown;
  }

  @Override
  void take(byte[] bytes, int from, int to) {
    double number = JsonNumber.begins(bytes[from]) ? JsonNumber.of(bytes, from, to) : Double.NaN;
    if (!Double.isFinite(number)) {
      notNumeric++;
      return;
    }
    if (size == NUMBERS_MAX) {
      flush();
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 4 * size);
    }
    numbers[size++] = number;
  }

  @Override
  void takeAbsent() {
    absent++;
  }

  @Override
  void flush() {
    long bytes = tally.add(numbers, size, absent, notNumeric);
    size = 0;
    absent = 0;
    notNumeric = 0;
    grown.accept(bytes);
  }
}
