package hourglass.query.advice;

import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the rows of some hours. Rows are many: what is said of each is made as it is
 * walked, and not kept. Walked by one thread at a time.
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

  /** An entry an hour and type, sorted likewise. */
  public Iterable<TypeReport> types() {
    return () ->
        new Walk<>(
            (hour, rows) ->
                List.of(reporter.type(hour, rows, claims.of(rows), nodes(rows.get(0)))).iterator());
  }

  /** The nodes there are, by where rows like one would live: looked for once. */
  private NodeMap nodes(RowFill like) {
    NodeMap known = nodes;
    if (known == null) {
      known = reporter.nodes(like);
      nodes = known;
    }
    return known;
  }

  /** Of how many hours and types the claims were wanted: those with a row that is not sealed. */
  public int claimsAsked() {
    return claims.asked();
  }

  /** Of how many they came. */
  public int claimsAnswered() {
    return claims.answered();
  }

  /** Walks what is said of each hour and type. */
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
