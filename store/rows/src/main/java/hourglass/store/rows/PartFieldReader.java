package hourglass.store.rows;

import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of fields in a row. A part that shares no name with another one is read field by
 * field. Parts that may share names are merged, since the larger payload of a name stays.
 */
public final class PartFieldReader {
  private PartFieldReader() {}

  /** Adds the columns of parts that may share names, each name once. */
  public interface Merge {
    void read(List<Part> parts, FieldQuery query, FieldValues into);
  }

  /**
   * Reads the values of fields in {@code parts}, which must contain all parts that overlap the
   * range.
   */
  public static void read(
      List<? extends Part> parts, FieldQuery query, FieldValues values, Merge merge) {
    Part.separate(
        parts,
        part -> part.values(query, values),
        cluster -> {
          if (mayMatch(cluster, query.filter())) {
            merge.read(cluster, query, values);
          }
        });
  }

  /**
   * Whether a column of the parts may match. If it returns false, merging columns of one name
   * yields no match either.
   */
  public static boolean mayMatch(List<? extends Part> parts, @Nullable FieldFilter filter) {
    return filter == null || parts.stream().anyMatch(part -> part.mayMatch(filter));
  }
}
