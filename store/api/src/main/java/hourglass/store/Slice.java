package hourglass.store;

/**
 * A part of a row.
 *
 * @param columns in ascending order of names, also when the query was descending: then they are the
 *     last ones of its range, to be walked backwards. Never empty if {@code more}.
 * @param more whether the range may hold columns beyond these; see {@link SliceQuery#after}
 */
public record Slice(Columns columns, boolean more) {
  public Slice {
    if (more && columns.isEmpty()) {
      throw new IllegalArgumentException("slice: more to come, but nothing to continue from");
    }
  }
}
