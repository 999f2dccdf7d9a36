package hourglass.store;

import hourglass.bucketing.TimeUuid;
import java.util.List;

/**
 * The exact account of a row, made when its hour was over and the row had become quiet.
 *
 * @param columns how many distinct names
 * @param bytes of their payloads
 * @param first the smallest name
 * @param last the greatest name
 * @param digest a 64-bit digest of all names and payloads in order
 * @param columnsByMinute 60 counts, one a minute of the hour; not to be changed
 * @param marks the marks of the row under which this was made
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
