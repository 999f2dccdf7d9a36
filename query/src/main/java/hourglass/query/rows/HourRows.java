package hourglass.query.rows;

import hourglass.bucketing.Hour;
import java.time.Instant;
import java.util.List;

/**
 * The wanted rows of an hour, as the directory had them at some moment.
 *
 * @param at when the directory was read
 * @param rows sorted by key
 */
public record HourRows(Hour hour, Instant at, List<RowFill> rows) {
  public HourRows {
    rows = List.copyOf(rows);
  }

  boolean isOver() {
    return !at.isBefore(hour.end());
  }
}
