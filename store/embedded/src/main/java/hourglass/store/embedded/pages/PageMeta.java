package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;

/** A page's inventory entry; {@code group} is the newest log group of its columns. */
public record PageMeta(
    RowKey row,
    long page,
    int generation,
    int storedBytes,
    int checksum,
    int count,
    long payloadBytes,
    TimeUuid first,
    TimeUuid last,
    long group,
    MinuteCounts minutes) {

  public PageMeta {
    last = last.equals(first) ? first : last; // with many types, most pages have one column
  }
}
