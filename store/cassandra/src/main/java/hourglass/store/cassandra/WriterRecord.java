package hourglass.store.cassandra;

import hourglass.bucketing.TimeUuid;

/**
 * What one writer tells of a row in the directory. Immutable.
 *
 * @param writer its name; no two processes, and no two starts of one, share it
 * @param retentionClass the name of the class whose table has its columns
 * @param mark grows with each of its writes
 * @param columns how many it wrote, or a bound while open
 * @param bytes of the payloads, alike
 * @param first its smallest name
 * @param last its greatest name
 * @param longest no payload of it is longer
 * @param open whether it may have added columns since, up to the bounds but outside of {@code
 *     [first, last]}
 * @param writtenMillis when it told this, milliseconds since 1970 by its clock
 */
record WriterRecord(
    String writer,
    String retentionClass,
    long mark,
    long columns,
    long bytes,
    TimeUuid first,
    TimeUuid last,
    int longest,
    boolean open,
    long writtenMillis) {

  /** How many of the columns it may not have written. */
  long columnsAhead() {
    return open ? OwnRow.spareIn(columns) : 0;
  }
}
