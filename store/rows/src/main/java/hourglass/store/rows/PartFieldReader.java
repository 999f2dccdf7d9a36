package hourglass.store.rows;

import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import java.util.ArrayList;
import java.util.BitSet;
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
    List<Part> sorted = new ArrayList<>(parts);
    sorted.sort(Part.BY_FIRST);
    List<Part> sharing = new ArrayList<>();
    BitSet mayShare = Part.sharing(sorted);
    for (int i = 0; i < sorted.size(); i++) {
      if (mayShare.get(i)) {
        sharing.add(sorted.get(i));
      } else {
        sorted.get(i).values(query, values);
      }
    }
    for (List<Part> cluster : Part.clusters(sharing)) {
      if (cluster.size() == 1) {
        cluster.get(0).values(query, values);
      } else if (mayMatch(cluster, query.filter())) {
        merge.read(cluster, query, values);
      }
    }
  }

  /**
   * Whether a column of the parts may match. If not, none of several columns under one name does.
   */
  public static boolean mayMatch(List<? extends Part> parts, @Nullable FieldFilter filter) {
    return filter == null || parts.stream().anyMatch(part -> part.mayMatch(filter));
  }
}
