package hourglass.store.cassandra;

import hourglass.bucketing.TimeUuid;

/**
 * The record of one writer about a row in the directory. Immutable.
 *
 * @param writer unique to one start of a process
 * @param mark increases with each of its writes
 * @param columns an upper bound while open
 * @param bytes the bytes of payloads; an upper bound while open
 * @param longest an upper bound of the length of a payload, in bytes
 * @param open whether later columns may exist, within the bounds but possibly outside of {@code
 *     [first, last]}
 * @param writtenMillis milliseconds since 1970, by the writer's clock
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

  long columnsAhead() {
    return open ? OwnRow.spareIn(columns) : 0;
  }
}
