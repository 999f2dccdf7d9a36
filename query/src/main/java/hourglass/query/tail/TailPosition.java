package hourglass.query.tail;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.query.OpaqueText;
import hourglass.store.LateArrivalPlace;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The events that a tail has delivered, as a place S in the order by (name, type) and a late
 * arrival place A. The tail has delivered every event up to S that has no late arrival record, and
 * every event up to S whose record is at or before A. Some names of the record after A may be
 * delivered, too. See docs/tail.md. Clients receive the position as an {@link OpaqueText} of
 *
 * <pre>
 * ticks 8 | lsb 8 | high 8 | low 8 | names 4 | type n
 * </pre>
 *
 * @param type the type of the event at S; empty if no event of that name is delivered yet
 * @param names the number of names of the next record that were delivered
 */
public record TailPosition(TimeUuid name, String type, LateArrivalPlace place, int names) {
  /** Returns the position before every event from a tick on. */
  static TailPosition before(long ticks, LateArrivalPlace place) {
    return new TailPosition(TimeUuid.first(ticks), "", place, 0);
  }

  /**
   * Whether an event is at or before the position in order. If it has no record, it was delivered.
   */
  boolean covers(TimeUuid otherName, String otherType) {
    int byName = otherName.compareTo(name);
    return byName < 0 || byName == 0 && EventType.compare(otherType, type) <= 0;
  }

  TailPosition at(TimeUuid otherName, String otherType) {
    return new TailPosition(otherName, otherType, place, names);
  }

  TailPosition at(LateArrivalPlace otherPlace, int otherNames) {
    return new TailPosition(name, type, otherPlace, otherNames);
  }

  String encode() {
    byte[] typeBytes = type.getBytes(StandardCharsets.UTF_8);
    return OpaqueText.encode(
        4 * Long.BYTES + Integer.BYTES + typeBytes.length,
        out -> {
          out.putLong(name.ticks()).putLong(name.lsb());
          out.putLong(place.high()).putLong(place.low()).putInt(names).put(typeBytes);
        });
  }

  /** Reads a position. Throws {@link BadParameterException} if the text is not one. */
  public static TailPosition parse(String text) {
    try {
      ByteBuffer in = OpaqueText.decode(text);
      TimeUuid name = new TimeUuid(in.getLong(), in.getLong());
      LateArrivalPlace place = new LateArrivalPlace(in.getLong(), in.getLong());
      int names = Math.max(0, in.getInt());
      String type = OpaqueText.restOf(in);
      if (Hour.covers(name.ticks()) || name.ticks() == Hour.LAST.endTicks()) {
        return new TailPosition(name, type.isEmpty() ? type : EventType.check(type), place, names);
      }
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      // reported below: damaged, or a position that no event can have
    }
    throw BadParameterException.of("Last-Event-ID", text, "the id of an event of an earlier tail");
  }
}
