package hourglass.query;

/**
 * What a query would touch at the most, as the directory knows it. Rows are counted whole, though a
 * range may want a part of them, and a limit may end the query in the first.
 *
 * @param hours that have such rows
 * @param rows that may hold what is asked for
 * @param columns in these rows; exact where they are sealed, else an upper bound
 * @param bytes of their payloads, alike
 */
public record Plan(long hours, long rows, long columns, long bytes) {
  static final Plan NOTHING = new Plan(0, 0, 0, 0);

  Plan plus(Plan other) {
    return new Plan(
        hours + other.hours, rows + other.rows, columns + other.columns, bytes + other.bytes);
  }
}
