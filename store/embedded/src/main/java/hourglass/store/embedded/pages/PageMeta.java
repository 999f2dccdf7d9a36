package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;

/**
 * A page's entry in the inventory.
 *
 * @param page the number of the page, unique within the store
 * @param generation the map that holds it
 * @param storedBytes the length of the page as stored
 * @param checksum CRC32C of the page as stored
 * @param count the number of columns
 * @param payloadBytes bytes of their payloads, uncompressed
 * @param first the smallest column name
 * @param last the greatest column name
 * @param group the newest log group among its columns
 * @param minutes the number of columns in each minute of the hour
 */
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
