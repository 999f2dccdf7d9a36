package hourglass.query.count;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Cuts a range of a type hour into parts, so that single rows cover as much as possible and need no
 * merge. Rows that were filled one after the other overlap at their ends.
 *
 * <pre>
 * shard 1   |==================|
 * shard 2                   |=================|
 * parts     |--- one row ---|2 |-- one row ---|
 * </pre>
 */
final class CountParts {
  /**
   * The factor by which the shared parts must be smaller than the whole, since they are read twice
   * if they contain repeats.
   */
  private static final int BARELY = 8;

  private CountParts() {}

  /** A part of a range, with the rows that may have columns in it; at least one in a result. */
  record Part(ColumnRange range, List<RowEntry> rows) {

    boolean isShared() {
      return rows.size() > 1;
    }

    private long ticks() {
      return range.to().ticks() - range.from().ticks();
    }

    private Part and(Part next) {
      List<RowEntry> both = new ArrayList<>(rows);
      next.rows.stream().filter(row -> !both.contains(row)).forEach(both::add);
      return new Part(new ColumnRange(range.from(), next.range.to()), both);
    }
  }

  /** Returns the parts that contain rows, in order and without overlap. */
  static List<Part> of(List<RowEntry> rows, ColumnRange range) {
    List<TimeUuid> cuts = range.isEmpty() ? List.of() : cuts(rows, range);
    List<Part> parts = new ArrayList<>();
    for (int i = 1; i < cuts.size(); i++) {
      add(parts, part(rows, new ColumnRange(cuts.get(i - 1), cuts.get(i))));
    }
    return parts;
  }

  /** Whether the shared parts are so small that the counts of whole rows are worth a try. */
  static boolean barelyOverlap(List<Part> parts) {
    long ticks = parts.stream().mapToLong(Part::ticks).sum();
    long shared = parts.stream().filter(Part::isShared).mapToLong(Part::ticks).sum();
    return shared <= ticks / BARELY;
  }

  /** Joins adjacent shared parts, so that fewer merges start. */
  private static void add(List<Part> parts, Part part) {
    int last = parts.size() - 1;
    if (last >= 0
        && parts.get(last).isShared()
        && part.isShared()
        && parts.get(last).range().to().equals(part.range().from())) {
      parts.set(last, parts.get(last).and(part));
    } else if (!part.rows().isEmpty()) {
      parts.add(part);
    }
  }

  private static Part part(List<RowEntry> rows, ColumnRange range) {
    List<RowEntry> covering =
        rows.stream()
            .filter(
                row ->
                    row.first().compareTo(range.to()) < 0
                        && row.last().compareTo(range.from()) >= 0)
            .toList();
    return new Part(range, covering);
  }

  private static List<TimeUuid> cuts(List<RowEntry> rows, ColumnRange range) {
    TreeSet<TimeUuid> cuts = new TreeSet<>(List.of(range.from(), range.to()));
    for (RowEntry row : rows) {
      cuts.add(row.first());
      cuts.add(row.last().successor());
    }
    return List.copyOf(cuts.subSet(range.from(), true, range.to(), true));
  }
}
