package hourglass.store.embedded.codec;

import hourglass.bucketing.TimeUuid;
import hourglass.store.CorruptException;

/**
 * The facts of a page that need no decompression. Immutable; the array must not be changed.
 *
 * @param version of the format
 * @param count columns, at least 1
 * @param payloadBytes the payloads' bytes together, before compression
 * @param first the least name
 * @param last the greatest name
 * @param columnsByMinute 60 counts: the columns of each minute of the first name's UTC hour; what
 *     lies beyond that hour is in none
 * @param checksum CRC32C of the header, which holds that of the rest: two pages with the same are
 *     the same
 */
@SuppressWarnings("ArrayRecordComponent") // headers are read by the thousand, never compared
public record PageHeader(
    int version,
    int count,
    int payloadBytes,
    TimeUuid first,
    TimeUuid last,
    int[] columnsByMinute,
    int checksum) {

  /**
   * Reads the header, which has a checksum of its own: whatever follows it is neither looked at nor
   * needed.
   *
   * @param page a page, or the beginning of one
   * @throws CorruptException naming what is wrong
   */
  public static PageHeader read(byte[] page) {
    return HeaderReader.read(page).facts();
  }
}
