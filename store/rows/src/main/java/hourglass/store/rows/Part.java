package hourglass.store.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted part of a row with at least one column, in memory or stored. Parts may overlap, and have
 * names in common. Immutable.
 */
public interface Part {
  Comparator<Part> BY_FIRST = Comparator.comparing(Part::first);
  Comparator<Part> BY_LAST = Comparator.comparing(Part::last);

  TimeUuid first();

  TimeUuid last();

  int count();

  long payloadBytes();

  /** The ranges of the part's names; null if unknown. */
  @Nullable NameRanges names();

  /** Returns all columns; they may have payloads even if these are not requested. */
  Columns load(Projection projection);

  /** The counts of the part's minutes; null if they are unknown until the part is read. */
  default @Nullable MinuteCounts minutes() {
    return null;
  }

  /** Whether the columns are in memory, so that loading costs nothing. */
  default boolean isLoaded() {
    return false;
  }

  /** Whether a column of the part may match; reads little. */
  default boolean mayMatch(FieldFilter filter) {
    return true;
  }

  /**
   * Whether a column may match, like {@link #mayMatch}, but true if the part itself would have to
   * be read.
   */
  default boolean mayMatchUnread(FieldFilter filter) {
    return true;
  }

  /**
   * Returns the columns without those that the filter shows not to match, as far as the part
   * allows.
   */
  default Columns match(FieldFilter filter) {
    return load(Projection.COLUMNS);
  }

  /** Returns the columns that a filter leaves, or every column if it is null. */
  default Columns load(@Nullable FieldFilter filter) {
    return filter == null ? load(Projection.COLUMNS) : match(filter);
  }

  /** Adds the values of fields in the columns of the query's range. */
  default void values(FieldQuery query, FieldValues into) {
    into.addWhole(load(Projection.COLUMNS).within(query.range()));
  }

  default boolean overlaps(ColumnRange range) {
    return first().compareTo(range.to()) < 0 && range.from().compareTo(last()) <= 0;
  }

  default boolean isWithin(ColumnRange range) {
    return range.contains(first()) && range.contains(last());
  }

  /**
   * Separates parts by their names. Each part that shares no name with another one goes to {@code
   * alone}, and each group of parts that may share names goes to {@code together}.
   */
  static void separate(
      List<? extends Part> parts, Consumer<Part> alone, Consumer<List<Part>> together) {
    List<Part> sorted = new ArrayList<>(parts);
    sorted.sort(BY_FIRST);
    List<Part> sharing = new ArrayList<>();
    BitSet mayShare = sharing(sorted);
    for (int i = 0; i < sorted.size(); i++) {
      if (mayShare.get(i)) {
        sharing.add(sorted.get(i));
      } else {
        alone.accept(sorted.get(i));
      }
    }
    for (List<Part> cluster : clusters(sharing)) {
      if (cluster.size() == 1) {
        alone.accept(cluster.get(0));
      } else {
        together.accept(cluster);
      }
    }
  }

  /**
   * Returns groups of parts that overlap in time, directly or through others; {@code parts} are
   * sorted by first name.
   */
  static <P extends Part> List<List<P>> clusters(List<P> parts) {
    List<List<P>> clusters = new ArrayList<>();
    for (int from = 0; from < parts.size(); ) {
      int to = clusterEnd(parts, from);
      clusters.add(List.copyOf(parts.subList(from, to)));
      from = to;
    }
    return clusters;
  }

  /**
   * Returns the parts that may have a name in common with another part; {@code parts} are sorted by
   * first name.
   */
  static BitSet sharing(List<? extends Part> parts) {
    BitSet sharing = new BitSet(parts.size());
    for (int from = 0; from < parts.size(); ) {
      int to = clusterEnd(parts, from);
      if (to - from > 1) {
        List<@Nullable NameRanges> names =
            parts.subList(from, to).stream().map(Part::names).toList();
        int start = from;
        NameRanges.sharing(names).stream().forEach(i -> sharing.set(start + i));
      }
      from = to;
    }
    return sharing;
  }

  private static int clusterEnd(List<? extends Part> parts, int from) {
    TimeUuid reach = parts.get(from).last();
    int to = from + 1;
    while (to < parts.size() && parts.get(to).first().compareTo(reach) <= 0) {
      TimeUuid last = parts.get(to).last();
      reach = last.compareTo(reach) > 0 ? last : reach;
      to++;
    }
    return to;
  }

  /**
   * Returns the distinct names with the right lengths. Payloads are read only if two columns have
   * one name, as they decide which one stays.
   */
  static Columns names(List<? extends Part> parts, ColumnRange range) {
    List<Columns> names =
        parts.stream().map(part -> part.load(Projection.NAMES).within(range).namesOnly()).toList();
    Columns merged = Columns.merge(names);
    return merged.size() < names.stream().mapToInt(Columns::size).sum()
        ? Columns.merge(
            parts.stream().map(part -> part.load(Projection.COLUMNS).within(range)).toList())
        : merged;
  }
}
