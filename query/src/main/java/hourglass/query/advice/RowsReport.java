package hourglass.query.advice;

import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A report about the rows of some hours. Rows are many, so each entry is created during iteration
 * and not kept. Used by one thread at a time.
 */
public final class RowsReport {
  private final RowReporter reporter;
  private final List<HourRows> hours;
  private final HourClaims claims;
  private @Nullable NodeMap nodes;

  /**
   * @param hours ascending
   */
  RowsReport(RowReporter reporter, List<HourRows> hours, HourClaims claims) {
    this.reporter = reporter;
    this.hours = List.copyOf(hours);
    this.claims = claims;
  }

  /** The rows, sorted by hour, type and shard. */
  public Iterable<RowReport> rows() {
    return () -> new Walk<>((hour, rows) -> reporter.rows(hour, rows, claims.of(rows)));
  }

  /** An entry for each type hour, sorted by hour and type. */
  public Iterable<TypeReport> types() {
    return () ->
        new Walk<>(
            (hour, rows) ->
                List.of(reporter.type(hour, rows, claims.of(rows), nodes(rows.get(0)))).iterator());
  }

  /** The nodes of the store, found once through the placement of rows like one. */
  private NodeMap nodes(RowFill like) {
    NodeMap known = nodes;
    if (known == null) {
      known = reporter.nodes(like);
      nodes = known;
    }
    return known;
  }

  /** The number of type hours that have an unsealed row. */
  public int claimsAsked() {
    return claims.asked();
  }

  /** The number of type hours whose claims were read. */
  public int claimsAnswered() {
    return claims.answered();
  }

  /** Iterates over the entries of each type hour. */
  private final class Walk<T> implements Iterator<T> {
    private final Iterator<HourRows> hoursLeft = hours.iterator();
    private final BiFunction<HourRows, List<RowFill>, Iterator<T>> said;
    private Iterator<Iterator<T>> groups = List.<Iterator<T>>of().iterator();
    private Iterator<T> group = List.<T>of().iterator();

    Walk(BiFunction<HourRows, List<RowFill>, Iterator<T>> said) {
      this.said = said;
    }

    @Override
    public boolean hasNext() {
      while (!group.hasNext() && (groups.hasNext() || hoursLeft.hasNext())) {
        if (groups.hasNext()) {
          group = groups.next();
        } else {
          groups = groups(hoursLeft.next());
        }
      }
      return group.hasNext();
    }

    private Iterator<Iterator<T>> groups(HourRows hour) {
      Iterator<List<RowFill>> byType = hour.byType().iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return byType.hasNext();
        }

        @Override
        public Iterator<T> next() {
          return said.apply(hour, byType.next());
        }
      };
    }

    @Override
    public T next() {
      return group.next();
    }
  }
}
