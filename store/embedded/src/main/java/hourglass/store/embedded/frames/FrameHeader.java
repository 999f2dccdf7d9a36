package hourglass.store.embedded.frames;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of a frame, little-endian. See docs/log-format.md.
 *
 * <pre>
 *  0        4        8                16       20       24       28
 * +--------+--------+----------------+--------+--------+--------+---------- - -
 * | magic  | length | group          | last   | body   | header | body
 * |        |        |                | (0, 1) | CRC32C | CRC32C | length bytes
 * +--------+--------+----------------+--------+--------+--------+---------- - -
 * </pre>
 *
 * @param group the number of its group; the groups of a file are numbered consecutively
 * @param last whether it ends its group
 */
public record FrameHeader(int length, long group, boolean last, int bodyCrc) {
  public static final int BYTES = 28;

  /** The longest body of a frame. It is short, because a writer stages a whole frame. */
  public static final int BODY_BYTES_MAX = 1 << 20;

  /** The last byte of a group. It is not zero, so that it reveals a sector that was not written. */
  static final byte GROUP_END = '.';

  private static final int MAGIC = 0x52464748; // "HGFR"
  private static final int HEADER_CRC_AT = 24;

  void write(ByteBuffer buffer, int at) {
    buffer.putInt(at, MAGIC);
    buffer.putInt(at + 4, length);
    buffer.putLong(at + 8, group);
    buffer.putInt(at + 16, last ? 1 : 0);
    buffer.putInt(at + 20, bodyCrc);
    buffer.putInt(at + HEADER_CRC_AT, crc(buffer, at, HEADER_CRC_AT));
  }

  /** Reads a header; null if it is incomplete or damaged. */
  static @Nullable FrameHeader read(ByteBuffer buffer, int at) {
    if (buffer.limit() - at < BYTES
        || buffer.getInt(at) != MAGIC
        || buffer.getInt(at + HEADER_CRC_AT) != crc(buffer, at, HEADER_CRC_AT)) {
      return null;
    }
    return new FrameHeader(
        buffer.getInt(at + 4),
        buffer.getLong(at + 8),
        buffer.getInt(at + 16) == 1,
        buffer.getInt(at + 20));
  }

  boolean bodyIsWhole(ByteBuffer buffer, int headerAt) {
    int from = headerAt + BYTES;
    return length >= 0 && length <= buffer.limit() - from && crc(buffer, from, length) == bodyCrc;
  }

  public static int crc(ByteBuffer buffer, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().limit(from + length).position(from));
    return (int) crc.getValue();
  }
}
