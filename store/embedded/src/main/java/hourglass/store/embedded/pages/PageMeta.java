package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;

/**
 * A page's entry in the inventory.
 *
 * @param row the row it belongs to
 * @param page its number, never used again within the hour's files
 * @param generation which of the hour's maps holds it
 * @param storedBytes the length of the page as stored
 * @param checksum CRC32C of the page as stored
 * @param count how many columns
 * @param payloadBytes of their payloads, unpacked
 * @param first the smallest name
 * @param last the greatest name
 * @param group the newest log group among its columns
 * @param minutes how many columns each minute of the hour has
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
    last = last.equals(first) ? first : last; // where types are many, most pages have one column
  }
}
