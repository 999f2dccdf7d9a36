package hourglass.query.rows;

import java.util.List;

/**
 * What is known of the rows of some hours.
 *
 * @param rows sorted by hour, type and shard
 * @param types an entry an hour and type, sorted likewise
 * @param claimsAsked of how many hours and types the claims were wanted: those with a row that is
 *     not sealed
 * @param claimsAnswered of how many they came
 */
public record RowsReport(
    List<RowReport> rows, List<TypeReport> types, int claimsAsked, int claimsAnswered) {
  public RowsReport {
    rows = List.copyOf(rows);
    types = List.copyOf(types);
  }
}
