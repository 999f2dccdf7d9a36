package hourglass.store.pages;

/** Buffers for reading pages through a filter, kept from page to page. Not thread-safe. */
final class MatchBuffers {
  /** More than a usual page needs; larger buffers are not kept. */
  private static final int KEPT_BYTES_MAX = 4 << 20;

  private byte[] values = new byte[0];
  private byte[] fields = new byte[0];
  private byte[] payloads = new byte[0];

  /** Room for the values that a filter judges. */
  byte[] values(int bytes) {
    byte[] room = CompressedBytes.room(values, bytes);
    values = kept(room);
    return room;
  }

  /** Room for the values that are wanted. */
  byte[] fields(int bytes) {
    byte[] room = CompressedBytes.room(fields, bytes);
    fields = kept(room);
    return room;
  }

  /** Room for the payloads of a page. */
  byte[] payloads(int bytes) {
    byte[] room = CompressedBytes.room(payloads, bytes);
    payloads = kept(room);
    return room;
  }

  private static byte[] kept(byte[] room) {
    return room.length <= KEPT_BYTES_MAX ? room : new byte[0];
  }
}
