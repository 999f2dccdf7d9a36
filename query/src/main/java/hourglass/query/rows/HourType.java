package hourglass.query.rows;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;

/** An hour and a type: what claims are about. */
public record HourType(Hour hour, String type) {
  /** Those of a row. */
  public static HourType of(RowKey row) {
    return new HourType(row.hour(), row.type());
  }
}
