package hourglass.query.values;

/** Counts and summarizes numbers, added in any order. Thread-safe. */
public final class NumberTally {
  private static final int FIXED_BYTES = 1_200;

  // All fields below are guarded by this:
  private final ExactSum sum = new ExactSum();
  private final NumberCells cells = new NumberCells();
  private long count;
  private long absent;
  private long notNumeric;
  private long bytes;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /**
   * Adds events, and returns the approximate growth in bytes.
   *
   * @param numbers the first {@code size} are added; finite, and not negative zeros
   * @param events number of events with each number
   * @param moreNotNumeric events with another value in the field
   */
  public synchronized long add(
      double[] numbers, int[] events, int size, long moreAbsent, long moreNotNumeric) {
    for (int i = 0; i < size; i++) {
      double number = numbers[i];
      sum.add(number, events[i]);
      cells.add(number, events[i]);
      count += events[i];
      min = Math.min(min, number);
      max = Math.max(max, number);
    }
    absent += moreAbsent;
    notNumeric += moreNotNumeric;
    long before = bytes;
    bytes = FIXED_BYTES + cells.bytes();
    return bytes - before;
  }

  /** Adds the numbers of another tally, which must not change meanwhile, but not their sum. */
  public synchronized void addAll(NumberTally others) {
    cells.addAll(others.cells);
    count += others.count;
    min = Math.min(min, others.min);
    max = Math.max(max, others.max);
  }

  /** The number of cells that another tally would add, which determines the time. */
  public synchronized int cells() {
    return cells.size();
  }

  /**
   * Returns a quantile, from 0 to 1. It is interpolated between the two numbers around its rank, by
   * the distances of their ranks; NaN if there are no numbers.
   */
  public synchronized double interpolated(double quantile) {
    if (count == 0) {
      return Double.NaN;
    }
    double rank = quantile * (count - 1);
    long lower = (long) Math.floor(rank);
    double weight = rank - lower;
    double[] numbers = cells.atRanks(lower, Math.min(count - 1, lower + 1));
    return within(numbers[0]) * (1 - weight) + within(numbers[1]) * weight;
  }

  public synchronized NumberSummary summary() {
    long events = count + absent + notNumeric;
    return new NumberSummary(events, absent, notNumeric, count == 0 ? null : distribution());
  }

  private NumberSummary.Distribution distribution() {
    double[] quantiles = cells.quantiles(500, 900, 990, 999);
    return new NumberSummary.Distribution(
        min,
        max,
        sum.mean(count),
        within(quantiles[0]),
        within(quantiles[1]),
        within(quantiles[2]),
        within(quantiles[3]));
  }

  /** Limits a number of a cell, which may be outside the range of all numbers. */
  private double within(double number) {
    return Math.min(max, Math.max(min, number));
  }
}
