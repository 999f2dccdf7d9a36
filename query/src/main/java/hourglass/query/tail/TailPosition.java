package hourglass.query.tail;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.store.LateArrivalPlace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

/**
 * The events that a tail has delivered, as a place S in the order by (name, type) and a late
 * arrival place A. The tail has delivered every event up to S that has no late arrival record, and
 * every event up to S whose record is at or before A. Some names of the record behind A may be
 * delivered, too. See docs/tail.md. Opaque to clients: base64url of
 *
 * <pre>
 * version 1 | ticks 8 | lsb 8 | high 8 | low 8 | names 4 | type n | crc32c 4
 * </pre>
 *
 * @param name of the last event delivered in order
 * @param type its type; empty: no event of that name is delivered yet
 * @param place of the last record that was delivered whole
 * @param names number of names of the next record that were delivered
 */
public record TailPosition(TimeUuid name, String type, LateArrivalPlace place, int names) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 1 + 4 * 8 + 4;
  private static final int CHECKSUM_BYTES = 4;

  /** The position before every event from a tick on. */
  static TailPosition before(long ticks, LateArrivalPlace place) {
    return new TailPosition(TimeUuid.first(ticks), "", place, 0);
  }

  /** Whether an event is at or before the position in order. Without a record, it was delivered. */
  boolean covers(TimeUuid otherName, String otherType) {
    int byName = otherName.compareTo(name);
    return byName < 0 || byName == 0 && otherType.compareTo(type) <= 0;
  }

  /** A copy with another place in the order of events. */
  TailPosition at(TimeUuid otherName, String otherType) {
    return new TailPosition(otherName, otherType, place, names);
  }

  /** A copy with another late arrival place and number of names in the next record. */
  TailPosition at(LateArrivalPlace otherPlace, int otherNames) {
    return new TailPosition(name, type, otherPlace, otherNames);
  }

  String encode() {
    byte[] typeBytes = type.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + typeBytes.length + CHECKSUM_BYTES);
    out.put(VERSION).putLong(name.ticks()).putLong(name.lsb());
    out.putLong(place.high()).putLong(place.low()).putInt(names).put(typeBytes);
    out.putInt(checksum(out.array()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
  }

  /**
   * Parses the text of a position.
   *
   * @throws BadParameterException if the text is no position
   */
  public static TailPosition parse(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (isSound(bytes)) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        TimeUuid name = new TimeUuid(in.getLong(), in.getLong());
        if (Hour.covers(name.ticks()) || name.ticks() == Hour.LAST.endTicks()) {
          LateArrivalPlace place = new LateArrivalPlace(in.getLong(), in.getLong());
          return new TailPosition(name, typeOf(bytes), place, Math.max(0, in.getInt()));
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // reported below: not base64url, or a position that no event can have
    }
    throw BadParameterException.of("Last-Event-ID", text, "the id of an event of an earlier tail");
  }

  private static boolean isSound(byte[] bytes) {
    return bytes.length >= FIXED_BYTES + CHECKSUM_BYTES
        && bytes[0] == VERSION
        && ByteBuffer.wrap(bytes).getInt(bytes.length - CHECKSUM_BYTES) == checksum(bytes);
  }

  private static String typeOf(byte[] bytes) {
    int length = bytes.length - FIXED_BYTES - CHECKSUM_BYTES;
    String type = new String(bytes, FIXED_BYTES, length, StandardCharsets.UTF_8);
    return type.isEmpty() ? type : EventType.check(type);
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - CHECKSUM_BYTES);
    return (int) crc.getValue();
  }
}
