package hourglass.query;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Order;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The end of a page, where the next one continues. No event is repeated or left out between the
 * two, even if events arrive in the meantime. Clients receive it as an {@link OpaqueText} of
 *
 * <pre>
 * flags 1 | digest 8 | ticks 8 | lsb 8 | type n
 * </pre>
 *
 * @param partial whether rows were missing on the pages so far
 */
public record EventCursor(EventPosition last, Order order, long digest, boolean partial) {
  private static final int NEWEST_FIRST = 1;
  private static final int PARTIAL = 2;

  public String encode() {
    byte[] type = last.type().getBytes(StandardCharsets.UTF_8);
    int flags = (order == Order.DESCENDING ? NEWEST_FIRST : 0) | (partial ? PARTIAL : 0);
    return OpaqueText.encode(
        1 + 3 * Long.BYTES + type.length,
        out -> {
          out.put((byte) flags).putLong(digest);
          out.putLong(last.name().ticks()).putLong(last.name().lsb()).put(type);
        });
  }

  /**
   * Parses a cursor for the same selection and order.
   *
   * @param partial whether the cursor may follow pages with missing rows
   * @throws BadParameterException if the text is not such a cursor
   */
  public static EventCursor parse(String text, Selection selection, Order order, boolean partial) {
    EventCursor cursor = decode(text);
    if (cursor.order != order || cursor.digest != selection.digest()) {
      throw new BadParameterException(
          ("cursor: \"%s\" belongs to another query; type, hour, from, to, contains, icase, where and"
                  + " order must be those of the page that gave it")
              .formatted(text));
    }
    if (cursor.partial && !partial) {
      throw new BadParameterException(
          ("cursor: \"%s\" follows pages on which rows were missing; want partial=allow, or the"
                  + " cursor of the last page that was complete")
              .formatted(text));
    }
    return cursor;
  }

  private static EventCursor decode(String text) {
    try {
      ByteBuffer in = OpaqueText.decode(text);
      int flags = in.get();
      long digest = in.getLong();
      TimeUuid name = new TimeUuid(in.getLong(), in.getLong());
      Hour.ofTicks(name.ticks());
      if ((flags & ~(NEWEST_FIRST | PARTIAL)) == 0) {
        return new EventCursor(
            new EventPosition(name, EventType.check(OpaqueText.restOf(in))),
            (flags & NEWEST_FIRST) == 0 ? Order.ASCENDING : Order.DESCENDING,
            digest,
            (flags & PARTIAL) != 0);
      }
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      // reported below: damaged, or not the position of any event
    }
    throw BadParameterException.of("cursor", text, "a cursor that an earlier page gave");
  }
}
