package hourglass.query;

import hourglass.query.values.NumberTally;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of samples.
 *
 * @param series one for each group with a sample
 * @param <G> the groups
 */
public record Samples<G>(Map<G, Series> series) {

  /** The figure that is kept of the numbers of a step. */
  public enum Figure {
    SUM,
    MIN,
    MAX,
    /** All numbers are kept, each to within a thousandth of itself. */
    QUANTILES
  }

  /** The samples of a group, by step. Thread-safe until it is read. */
  public static final class Series {
    private final Figure figure;
    private final long[] counts;
    private final double[] figures;
    private final @Nullable NumberTally[] tallies;

    public Series(Figure figure, int steps) {
      this.figure = figure;
      counts = new long[steps];
      figures = new double[figure == Figure.QUANTILES ? 0 : steps];
      tallies = new NumberTally[figure == Figure.QUANTILES ? steps : 0];
    }

    /** Returns the memory of a series without its tallies, in bytes. */
    public static long bytes(Figure figure, long steps) {
      return 100 + steps * (figure == Figure.QUANTILES ? 12 : 16);
    }

    /** Adds events with a finite number, and returns the approximate growth in bytes. */
    public synchronized long add(int step, double number, int events) {
      boolean isFirst = counts[step] == 0;
      counts[step] += events;
      switch (figure) {
        case SUM -> figures[step] += number * events;
        case MIN -> figures[step] = isFirst ? number : Math.min(number, figures[step]);
        case MAX -> figures[step] = isFirst ? number : Math.max(number, figures[step]);
        case QUANTILES -> {
          NumberTally tally = tallies[step];
          if (tally == null) {
            tally = new NumberTally();
            tallies[step] = tally;
          }
          return tally.add(new double[] {number + 0.0}, new int[] {events}, 1, 0, 0);
        }
      }
      return 0;
    }

    /** Returns the number of samples in steps {@code [from, to)}. */
    public synchronized long count(int from, int to) {
      long count = 0;
      for (int step = from; step < to; step++) {
        count += counts[step];
      }
      return count;
    }

    /**
     * Returns the sum, or the least or the greatest number, of steps {@code [from, to)}, which must
     * contain a number.
     */
    public synchronized double figure(int from, int to) {
      double all = 0;
      boolean isFirst = true;
      for (int step = from; step < to; step++) {
        if (counts[step] > 0) {
          double one = figures[step];
          all =
              switch (figure) {
                case SUM -> all + one;
                case MIN -> isFirst ? one : Math.min(all, one);
                case MAX -> isFirst ? one : Math.max(all, one);
                case QUANTILES -> throw new IllegalStateException("there are only quantiles");
              };
          isFirst = false;
        }
      }
      return all;
    }

    /**
     * Returns the work of quantiles: the cells of numbers before each step, and at the end those of
     * all.
     */
    public synchronized long[] cells() {
      long[] before = new long[tallies.length + 1];
      for (int step = 0; step < tallies.length; step++) {
        NumberTally tally = tallies[step];
        before[step + 1] = before[step] + (tally == null ? 0 : tally.cells());
      }
      return before;
    }

    /**
     * Returns a quantile of steps {@code [from, to)}, which must contain a number. Between two
     * numbers it is interpolated, as in Prometheus and Loki.
     */
    public synchronized double quantile(int from, int to, double quantile) {
      NumberTally all = new NumberTally();
      for (int step = from; step < to; step++) {
        NumberTally tally = tallies[step];
        if (tally != null) {
          all.addAll(tally);
        }
      }
      return all.interpolated(quantile);
    }
  }
}
