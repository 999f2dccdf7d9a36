package hourglass.query;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * A position in the total order by (name, type), where one page ended and the next continues. No
 * event is repeated or left out at the edge, even if events arrive in between. Opaque to clients:
 * base64url of
 *
 * <pre>
 * version 1 | flags 1 | digest 8 | ticks 8 | lsb 8 | type n | crc32c 4
 * </pre>
 *
 * @param name the name of the last event of the page
 * @param digest the digest of the selection
 * @param partial whether rows were missing on the pages so far
 */
public record EventCursor(TimeUuid name, String type, Order order, long digest, boolean partial) {
  private static final byte VERSION = 1;

  // flags
  private static final int NEWEST_FIRST = 1;
  private static final int PARTIAL = 2;

  private static final int FIXED_BYTES = 2 + 8 + 8 + 8;
  private static final int CHECKSUM_BYTES = 4;

  /** A cursor of complete pages. */
  public EventCursor(TimeUuid name, String type, Order order, long digest) {
    this(name, type, order, digest, false);
  }

  public String encode() {
    byte[] typeBytes = type.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + typeBytes.length + CHECKSUM_BYTES);
    out.put(VERSION).put(flags()).putLong(digest);
    out.putLong(name.ticks()).putLong(name.lsb()).put(typeBytes);
    out.putInt(checksum(out.array()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
  }

  private byte flags() {
    return (byte) ((order == Order.DESCENDING ? NEWEST_FIRST : 0) | (partial ? PARTIAL : 0));
  }

  /**
   * Parses the cursor of a page of the same selection in the same order.
   *
   * @param partial whether the cursor may follow pages with missing rows
   * @throws BadParameterException if the text is not such a cursor
   */
  public static EventCursor parse(String text, Selection selection, Order order, boolean partial) {
    EventCursor cursor = decode(text);
    if (cursor.order != order || cursor.digest != selection.digest()) {
      throw new BadParameterException(
          "cursor: \""
              + text
              + "\" belongs to another query; type, hour, from, to, contains, where and order"
              + " must be those of the page that gave it");
    }
    if (cursor.partial && !partial) {
      throw new BadParameterException(
          "cursor: \""
              + text
              + "\" follows pages on which rows were missing; want partial=allow, or the cursor of"
              + " the last page that was complete");
    }
    return cursor;
  }

  private static EventCursor decode(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (isSound(bytes)) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        int flags = flags(in.get());
        long digest = in.getLong();
        TimeUuid name = new TimeUuid(in.getLong(), in.getLong());
        Hour.ofTicks(name.ticks());
        Order order = (flags & NEWEST_FIRST) == 0 ? Order.ASCENDING : Order.DESCENDING;
        return new EventCursor(name, typeOf(bytes), order, digest, (flags & PARTIAL) != 0);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // reported below: not base64url, or not the position of any event
    }
    throw BadParameterException.of("cursor", text, "a cursor that an earlier page gave");
  }

  private static int flags(byte flags) {
    if ((flags & ~(NEWEST_FIRST | PARTIAL)) != 0) {
      throw new IllegalArgumentException("flags: " + flags);
    }
    return flags;
  }

  private static boolean isSound(byte[] bytes) {
    return bytes.length > FIXED_BYTES + CHECKSUM_BYTES
        && bytes[0] == VERSION
        && ByteBuffer.wrap(bytes).getInt(bytes.length - CHECKSUM_BYTES) == checksum(bytes);
  }

  private static String typeOf(byte[] bytes) {
    int length = bytes.length - FIXED_BYTES - CHECKSUM_BYTES;
    return EventType.check(new String(bytes, FIXED_BYTES, length, StandardCharsets.UTF_8));
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - CHECKSUM_BYTES);
    return (int) crc.getValue();
  }

  Hour hour() {
    return name.hour();
  }

  /**
   * The rest of a range for the rows of a type. At the position's own name, the order of types
   * decides whether a type was already answered.
   */
  ColumnRange rest(ColumnRange range, String rowType) {
    int side = rowType.compareTo(type);
    return order == Order.ASCENDING
        ? range.intersect(new ColumnRange(side > 0 ? name : name.successor(), range.to()))
        : range.intersect(new ColumnRange(range.from(), side < 0 ? name.successor() : name));
  }
}
