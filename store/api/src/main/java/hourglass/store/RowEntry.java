package hourglass.store;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a row in the directory.
 *
 * @param columns an upper bound until the row is sealed, since a repeated name may count twice
 * @param bytes an upper bound of the bytes of payloads
 * @param first a lower bound of the names of acknowledged columns; exact once the row is sealed
 * @param last an upper bound of those names
 * @param manifest null if the row was never sealed
 * @param columnsAhead an upper bound of the columns that were announced but are not yet written
 * @param marks sorted, one of each writer; every write that could change an answer changes them. A
 *     cached part of a row is valid for the marks under which it was made.
 * @param names the ranges of the columns' names; null if unknown
 */
public record RowEntry(
    RowKey row,
    long columns,
    long bytes,
    TimeUuid first,
    TimeUuid last,
    @Nullable Manifest manifest,
    long columnsAhead,
    List<Mark> marks,
    @Nullable NameRanges names) {

  /** A writer's version of a row; the value differs after every write of that writer. */
  public record Mark(String writer, long value) {}

  public RowEntry {
    marks = List.copyOf(marks);
  }

  public RowEntry(
      RowKey row,
      long columns,
      long bytes,
      TimeUuid first,
      TimeUuid last,
      @Nullable Manifest manifest,
      List<Mark> marks) {
    this(row, columns, bytes, first, last, manifest, 0, marks, null);
  }

  public RowEntry withNames(@Nullable NameRanges ranges) {
    return new RowEntry(row, columns, bytes, first, last, manifest, columnsAhead, marks, ranges);
  }

  /** Returns the entry of a row whose exact account is not known. */
  public RowEntry withoutManifest() {
    return new RowEntry(row, columns, bytes, first, last, null, columnsAhead, marks, names);
  }

  /** Whether the manifest still describes the row. */
  public boolean sealed() {
    return manifest != null && manifest.marks().equals(marks);
  }

  /**
   * Returns the counts of a whole row in whole minutes, from the manifest; null if the store must
   * count.
   */
  public @Nullable RowCounts counts(CountQuery query) {
    if (manifest == null
        || !sealed()
        || !query.range().contains(manifest.first())
        || !query.range().contains(manifest.last())
        || !query.hasWholeMinutes()) {
      return null;
    }
    ColumnCounter counter = new ColumnCounter(query);
    counter.add(
        row.hour().startTicks(), manifest.columnsByMinute(), manifest.columns(), manifest.bytes());
    return counter.counts();
  }
}
