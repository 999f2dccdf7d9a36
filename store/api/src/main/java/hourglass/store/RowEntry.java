package hourglass.store;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a row in the directory.
 *
 * @param columns an upper bound until the row is sealed, since a repeated name may count twice;
 *     {@link WideColumnStore#count} is exact
 * @param bytes upper bound of the payloads
 * @param first lower bound of the names of acknowledged columns; exact once the row is sealed
 * @param last upper bound of those names
 * @param manifest the account made when the row was sealed; null if it never was
 * @param columnsAhead upper bound on columns that were announced but not yet written
 * @param marks sorted, one of each writer that added to the row; every write that could change an
 *     answer changes them. A cached part of a row is valid for the marks it was made under.
 */
public record RowEntry(
    RowKey row,
    long columns,
    long bytes,
    TimeUuid first,
    TimeUuid last,
    @Nullable Manifest manifest,
    long columnsAhead,
    List<Mark> marks) {

  /**
   * A writer's version of a row.
   *
   * @param writer a writer replaces only its own marks
   * @param value different after every write of that writer
   */
  public record Mark(String writer, long value) {}

  public RowEntry {
    marks = List.copyOf(marks);
  }

  /** An entry that counts written columns only. */
  public RowEntry(
      RowKey row,
      long columns,
      long bytes,
      TimeUuid first,
      TimeUuid last,
      @Nullable Manifest manifest,
      List<Mark> marks) {
    this(row, columns, bytes, first, last, manifest, 0, marks);
  }

  /** Whether the manifest still describes the row. */
  public boolean sealed() {
    return manifest != null && manifest.marks().equals(marks);
  }
}
