package hourglass.query;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A position as a text that is opaque to clients: base64url of
 *
 * <pre>
 * version 1 | fields n | crc32c 4
 * </pre>
 */
public final class OpaqueText {
  private static final byte VERSION = 1;
  private static final int CHECKSUM_BYTES = 4;

  private OpaqueText() {}

  /** Encodes fields; {@code fields} writes exactly {@code fieldBytes} bytes. */
  public static String encode(int fieldBytes, Consumer<ByteBuffer> fields) {
    ByteBuffer out = ByteBuffer.allocate(1 + fieldBytes + CHECKSUM_BYTES).put(VERSION);
    fields.accept(out);
    out.putInt(checksum(out.array()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
  }

  /**
   * Returns the fields of a text.
   *
   * @throws IllegalArgumentException if {@link #encode} has not produced it
   */
  public static ByteBuffer decode(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    int end = bytes.length - CHECKSUM_BYTES;
    if (end < 1 || bytes[0] != VERSION || ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes)) {
      throw new IllegalArgumentException("not a text of this version, or a damaged one");
    }
    return ByteBuffer.wrap(bytes, 1, end - 1);
  }

  public static String restOf(ByteBuffer fields) {
    return StandardCharsets.UTF_8.decode(fields).toString();
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - CHECKSUM_BYTES);
    return (int) crc.getValue();
  }
}
