package hourglass.store;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the directory knows of a row.
 *
 * @param row its key
 * @param columns how many; a name that was written again may still be counted twice, so this is an
 *     upper bound until the row is sealed. {@link WideColumnStore#count} is exact.
 * @param bytes of the payloads, bounded alike
 * @param first no column that was acknowledged before has a smaller name; the smallest once the row
 *     is sealed
 * @param last nor has one a greater name than this
 * @param manifest what was found when the row was sealed, if it ever was
 * @param columnsAhead how many of the columns may not be there yet: a writer that tells seldom
 *     tells what it may come to have, and more than it has by that at the most
 * @param marks one a writer that added to the row, sorted; each write that could change an answer
 *     changes them. What is cached of a row counts only with the marks it was made under.
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
   * A writer's note beside a row.
   *
   * @param writer who; a writer replaces only its own marks
   * @param value different after every write of that writer
   */
  public record Mark(String writer, long value) {}

  public RowEntry {
    marks = List.copyOf(marks);
  }

  /** A row whose writers tell all columns, and no others. */
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

  /** Whether nothing was added since the manifest was made. */
  public boolean sealed() {
    return manifest != null && manifest.marks().equals(marks);
  }
}
