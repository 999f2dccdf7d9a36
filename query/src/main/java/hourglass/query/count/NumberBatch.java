package hourglass.query.count;

import hourglass.bytes.JsonNumber;
import hourglass.query.values.NumberTally;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** Collects the numbers of a field. */
final class NumberBatch implements ValueSink {
  private static final int NUMBERS_MAX = 1_024;

  private final NumberTally tally;
  private final LongConsumer grow;

  /**
   * The numbers so far. The array is small at first, since most types have few events in an hour.
   */
  private double[] numbers = new double[16];

  private int[] counts = new int[16];

  private int size;
  private long absent;
  private long notNumeric;

  /** The {@code grow} receives the bytes by which the tally has grown. */
  NumberBatch(NumberTally tally, LongConsumer grow) {
    this.tally = tally;
    this.grow = grow;
  }

  @Override
  public void take(byte[] json, int from, int to, int events) {
    double number = JsonNumber.begins(json[from]) ? JsonNumber.of(json, from, to) : Double.NaN;
    if (!Double.isFinite(number)) {
      notNumeric += events;
      return;
    }
    if (size == NUMBERS_MAX) {
      flush();
    }
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 4 * size);
      counts = Arrays.copyOf(counts, 4 * size);
    }
    counts[size] = events;
    numbers[size++] = number;
  }

  @Override
  public void takeAbsent(long events) {
    absent += events;
  }

  @Override
  public void flush() {
    long grown = tally.add(numbers, counts, size, absent, notNumeric);
    size = 0;
    absent = 0;
    notNumeric = 0;
    grow.accept(grown);
  }
}
