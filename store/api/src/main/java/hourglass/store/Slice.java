package hourglass.store;

/**
 * A part of a row.
 *
 * @param columns ascending for both orders; a descending query returns the last ones of its range.
 *     Never empty if {@code more}.
 * @param more whether the range may hold columns beyond these
 * @param matched whether all columns match the filter for certain; only then, and if asked for
 *     {@link SliceQuery.Projection#MATCHES}, there are names alone, without lengths
 */
public record Slice(Columns columns, boolean more, boolean matched) {
  public Slice(Columns columns, boolean more) {
    this(columns, more, false);
  }

  public Slice {
    if (more && columns.isEmpty()) {
      throw new IllegalArgumentException("slice: more to come, but nothing to continue from");
    }
  }
}
