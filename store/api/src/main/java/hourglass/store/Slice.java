package hourglass.store;

/**
 * A part of a row.
 *
 * @param columns ascending for both orders; a descending query returns the last ones of its range.
 *     Never empty if {@code more}.
 * @param more whether the range may hold columns beyond these
 */
public record Slice(Columns columns, boolean more) {
  public Slice {
    if (more && columns.isEmpty()) {
      throw new IllegalArgumentException("slice: more to come, but nothing to continue from");
    }
  }
}
