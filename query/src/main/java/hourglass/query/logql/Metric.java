package hourglass.query.logql;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A query for samples. */
public sealed interface Metric extends Query {

  /** A function of the lines in the time before a sample. */
  enum RangeFunction {
    COUNT_OVER_TIME,
    RATE,
    BYTES_OVER_TIME,
    BYTES_RATE,
    SUM_OVER_TIME,
    AVG_OVER_TIME,
    MIN_OVER_TIME,
    MAX_OVER_TIME,
    QUANTILE_OVER_TIME;

    /**
     * Whether the function needs the number of a label. Of the others, only {@code RATE} may have
     * one.
     */
    public boolean isOfNumbers() {
      return switch (this) {
        case COUNT_OVER_TIME, RATE, BYTES_OVER_TIME, BYTES_RATE -> false;
        case SUM_OVER_TIME, AVG_OVER_TIME, MIN_OVER_TIME, MAX_OVER_TIME, QUANTILE_OVER_TIME -> true;
      };
    }

    boolean allowsUnwrap() {
      return isOfNumbers() || this == RATE;
    }

    /** Whether labels may be chosen, as for aggregations of series. */
    boolean allowsGrouping() {
      return isOfNumbers() && this != SUM_OVER_TIME;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An aggregation of series. */
  enum Aggregation {
    SUM,
    AVG,
    MIN,
    MAX,
    COUNT,
    TOPK,
    BOTTOMK;

    public boolean isRanking() {
      return this == TOPK || this == BOTTOMK;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The labels by which, or without which, series are grouped. */
  record Grouping(boolean without, List<String> names) {
    public Grouping {
      names = List.copyOf(names);
    }

    @Override
    public String toString() {
      return (without ? "without" : "by") + "(" + String.join(",", names) + ")";
    }
  }

  /** The label whose number is used. */
  record Unwrap(String name, LabelTest.Unit unit) {
    @Override
    public String toString() {
      return switch (unit) {
        case NUMBER -> "| unwrap " + name;
        case DURATION -> "| unwrap duration(" + name + ")";
        case BYTES -> "| unwrap bytes(" + name + ")";
      };
    }
  }

  /**
   * A function of the lines in a range before each sample.
   *
   * @param quantile of {@code QUANTILE_OVER_TIME}, 0 to 1; else 0
   * @param unwrap null if the function is of the lines themselves
   * @param rangeNanos at least a millisecond
   * @param range as written
   * @param grouping null for all labels
   */
  record Range(
      RangeFunction function,
      double quantile,
      LogSelector lines,
      @Nullable Unwrap unwrap,
      long rangeNanos,
      String range,
      @Nullable Grouping grouping)
      implements Metric {
    @Override
    public String toString() {
      return function.text()
          + "("
          + (function == RangeFunction.QUANTILE_OVER_TIME ? Quantities.text(quantile) + "," : "")
          + lines
          + (unwrap == null ? "" : " " + unwrap)
          + "["
          + range
          + "])"
          + (grouping == null ? "" : " " + grouping);
    }
  }

  /**
   * An aggregation of series.
   *
   * @param k of a ranking; else 0
   * @param grouping null if all series are one group
   */
  record Aggregate(Aggregation aggregation, int k, Metric of, @Nullable Grouping grouping)
      implements Metric {
    @Override
    public String toString() {
      return aggregation.text()
          + (grouping == null ? "" : " " + grouping + " ")
          + "("
          + (aggregation.isRanking() ? k + "," : "")
          + of
          + ")";
    }
  }

  /** Arithmetic on two queries, one of which is a constant. */
  record Binary(Operator operator, Metric a, Metric b) implements Metric {
    /** The operators, with their signs. */
    public enum Operator {
      PLUS("+"),
      MINUS("-"),
      TIMES("*"),
      OVER("/"),
      MODULO("%"),
      POWER("^");

      private final String sign;

      Operator(String sign) {
        this.sign = sign;
      }

      /** Returns the result; NaN for a division by zero, as in Loki and unlike in Prometheus. */
      public double of(double a, double b) {
        return switch (this) {
          case PLUS -> a + b;
          case MINUS -> a - b;
          case TIMES -> a * b;
          case OVER -> b == 0 ? Double.NaN : a / b;
          case MODULO -> a % b;
          case POWER -> Math.pow(a, b);
        };
      }
    }

    @Override
    public String toString() {
      return "(" + a + " " + operator.sign + " " + b + ")";
    }
  }

  /** A number, or with {@code isVector} a series without labels. */
  record Constant(double value, boolean isVector) implements Metric {
    @Override
    public String toString() {
      String text = Quantities.text(value);
      return isVector ? "vector(" + text + ")" : text;
    }
  }
}
