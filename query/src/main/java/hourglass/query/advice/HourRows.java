package hourglass.query.advice;

import hourglass.bucketing.Hour;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;

/**
 * The wanted rows of an hour at the time of a read.
 *
 * @param at time at which the directory was read
 * @param rows sorted by key
 */
public record HourRows(Hour hour, Instant at, List<RowFill> rows) {
  public HourRows {
    rows = List.copyOf(rows);
  }

  /** The rows grouped by type, lazily during iteration. */
  Iterable<List<RowFill>> byType() {
    return () ->
        new Iterator<>() {
          private int at;

          @Override
          public boolean hasNext() {
            return at < rows.size();
          }

          @Override
          public List<RowFill> next() {
            int from = at;
            String type = type(from);
            do {
              at++;
            } while (at < rows.size() && type(at).equals(type));
            return rows.subList(from, at);
          }
        };
  }

  private String type(int i) {
    return rows.get(i).entry().row().type();
  }

  boolean isOver() {
    return !at.isBefore(hour.end());
  }
}
