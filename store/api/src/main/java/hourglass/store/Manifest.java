package hourglass.store;

import hourglass.bucketing.TimeUuid;
import java.util.List;

/**
 * The exact account of a row, made when its hour was over and no more writes arrived.
 *
 * @param digest the digest of all names and payloads in order
 * @param columnsByMinute 60 counts; must not be modified
 * @param marks the marks of the row when this was made
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its marks and digest, never whole
public record Manifest(
    long columns,
    long bytes,
    TimeUuid first,
    TimeUuid last,
    long digest,
    int[] columnsByMinute,
    List<RowEntry.Mark> marks) {
  public Manifest {
    marks = List.copyOf(marks);
  }
}
