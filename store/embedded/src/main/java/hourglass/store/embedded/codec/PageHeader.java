package hourglass.store.embedded.codec;

import hourglass.bucketing.TimeUuid;
import hourglass.store.CorruptException;

/**
 * The header of a page, readable without decompression. Immutable; the array must not be changed.
 *
 * @param version of the format
 * @param count columns, at least 1
 * @param payloadBytes bytes of all payloads, before compression
 * @param first the smallest column name
 * @param last the greatest column name
 * @param columnsByMinute 60 counts: the columns in each minute of the first name's UTC hour,
 *     without columns beyond that hour
 * @param checksum CRC32C of the header, which covers that of the body: pages with the same checksum
 *     are the same
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
   * Reads the header, which has a checksum of its own; ignores the bytes behind it.
   *
   * @param page a page, or the beginning of one
   * @throws CorruptException naming the fault
   */
  public static PageHeader read(byte[] page) {
    return HeaderReader.read(page).facts();
  }
}
