package hourglass.load.send;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/**
 * Builds text as bytes in a growing array, without creating an object for each value. Not
 * thread-safe.
 */
public final class ByteText {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.").withZone(ZoneOffset.UTC);

  private byte[] bytes;
  private int length;
  private long second = Long.MIN_VALUE;
  private byte[] secondText = new byte[0];

  public ByteText(int capacity) {
    bytes = new byte[capacity];
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public int length() {
    return length;
  }

  public void clear() {
    length = 0;
  }

  /**
   * Returns the array, which may contain more bytes after the text. Valid until the next call of
   * append.
   */
  public byte[] array() {
    return bytes;
  }

  Buffer copy() {
    return Buffer.buffer(length).appendBytes(bytes, 0, length);
  }

  public ByteText append(byte[] text) {
    return append(text, 0, text.length);
  }

  public ByteText append(byte[] text, int from, int to) {
    reserve(to - from);
    System.arraycopy(text, from, bytes, length, to - from);
    length += to - from;
    return this;
  }

  public ByteText append(char ascii) {
    reserve(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  ByteText appendHex(int value) {
    reserve(8);
    for (int shift = 28; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[(value >>> shift) & 0xf];
    }
    return this;
  }

  ByteText appendTenths(long tenths) {
    return appendNumber(tenths / 10).append('.').append((char) ('0' + tenths % 10));
  }

  ByteText appendNumber(long value) {
    int digits = 1;
    for (long rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    return appendDigits(value, digits);
  }

  /** Appends a time such as {@code 2026-11-20T08:00:00.000331Z}. */
  ByteText appendTime(long epochMicros) {
    long seconds = Math.floorDiv(epochMicros, 1_000_000);
    if (seconds != second) {
      second = seconds;
      secondText = ascii(SECOND.format(Instant.ofEpochSecond(seconds)));
    }
    return append(secondText).appendDigits(Math.floorMod(epochMicros, 1_000_000), 6).append('Z');
  }

  private ByteText appendDigits(long value, int digits) {
    reserve(digits);
    long rest = value;
    for (int at = length + digits - 1; at >= length; at--) {
      bytes[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
    return this;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
