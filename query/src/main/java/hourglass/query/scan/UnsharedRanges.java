package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.NameRanges;
import hourglass.store.RowEntry;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The longest range of each row, within the part that is read, in which no other row of its type
 * has columns, unless the two have no name in common. Elsewhere a retry may have written an event
 * to two rows, and only a merge knows which payload wins.
 *
 * <pre>
 *   row 0   |--------------|            0 to 2
 *   row 1            2---------5        after row 0 to before row 2
 *   row 2                     4----9    after row 1 to 9
 * </pre>
 */
public final class UnsharedRanges {
  private UnsharedRanges() {}

  /** Returns the rows of one type hour that may have a name in common with another one. */
  public static List<RowEntry> sharing(List<RowEntry> rows) {
    BitSet sharing = NameRanges.sharing(rows.stream().map(RowEntry::names).toList());
    return sharing.stream().mapToObj(rows::get).toList();
  }

  /**
   * The rows of one type hour, split by whether they may share names.
   *
   * @param apart rows whose names no other row contains, or will contain
   */
  public record Rows(List<RowEntry> apart, List<RowEntry> others) {
    public static Rows of(List<RowEntry> rows) {
      if (rows.size() == 1) {
        return new Rows(rows, List.of());
      }
      Set<RowKey> sharing = sharing(rows).stream().map(RowEntry::row).collect(Collectors.toSet());
      // A retry may write hashed names into a further row, even while they are read.
      Predicate<RowEntry> isApart = row -> !sharing.contains(row.row()) && hasGeneratedNames(row);
      return new Rows(
          rows.stream().filter(isApart).toList(), rows.stream().filter(isApart.negate()).toList());
    }
  }

  private static boolean hasGeneratedNames(RowEntry row) {
    NameRanges names = row.names();
    return names != null && names.areGenerated();
  }

  /**
   * Returns the unshared range of each row of one hour; a range may be empty.
   *
   * @param wanted the part of a row that is read
   */
  static Map<RowKey, ColumnRange> of(List<RowEntry> rows, Function<RowEntry, ColumnRange> wanted) {
    Map<RowKey, ColumnRange> ranges = new HashMap<>();
    rows.forEach(row -> ranges.put(row.row(), listed(row)));
    rows.stream()
        .collect(Collectors.groupingBy(row -> row.row().type()))
        .values()
        .forEach(ofType -> cut(sharing(ofType), wanted, ranges));
    return ranges;
  }

  private static void cut(
      List<RowEntry> rows,
      Function<RowEntry, ColumnRange> wanted,
      Map<RowKey, ColumnRange> ranges) {
    List<RowEntry> byFirst = rows.stream().sorted(Comparator.comparing(RowEntry::first)).toList();
    List<RowEntry> byLast = rows.stream().sorted(Comparator.comparing(RowEntry::last)).toList();
    rows.forEach(row -> ranges.put(row.row(), ColumnRange.EMPTY));
    Map<RowKey, RowEntry> open = new HashMap<>();
    TimeUuid from = TimeUuid.first(0);
    for (int begun = 0, ended = 0; ended < byLast.size(); ) {
      TimeUuid end = byLast.get(ended).last().successor();
      boolean begins = begun < byFirst.size() && byFirst.get(begun).first().compareTo(end) < 0;
      TimeUuid to = begins ? byFirst.get(begun).first() : end;
      if (open.size() == 1) {
        RowEntry row = open.values().iterator().next();
        ColumnRange alone = new ColumnRange(from, to).intersect(wanted.apply(row));
        ranges.merge(row.row(), alone, UnsharedRanges::longer);
      }
      if (begins) {
        RowEntry row = byFirst.get(begun++);
        open.put(row.row(), row);
      } else {
        open.remove(byLast.get(ended++).row());
      }
      from = to;
    }
  }

  private static ColumnRange longer(ColumnRange a, ColumnRange b) {
    return a.isEmpty() || !b.isEmpty() && ticks(b) > ticks(a) ? b : a;
  }

  private static long ticks(ColumnRange range) {
    return range.to().ticks() - range.from().ticks();
  }

  /**
   * Returns the range from the first to the last column that the directory lists, both included.
   */
  static ColumnRange listed(RowEntry row) {
    return new ColumnRange(row.first(), row.last().successor());
  }
}
