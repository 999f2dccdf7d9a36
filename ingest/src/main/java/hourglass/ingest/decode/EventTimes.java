package hourglass.ingest.decode;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import hourglass.ingest.decode.EventFields.Kind;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the time of a scanned event from its fields. Where the time field is absent or null, the
 * first of the other time fields that has a time of 2000-2099 stands in for it. A field that only
 * has the name of one, such as {@code "ts":"later"} or one that occurs twice, is passed over. Not
 * thread-safe.
 */
final class EventTimes {
  private final EventFields fields;
  private final JsonScanner json;
  private final Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
  private final LooseTime loose = new LooseTime();
  private final @Nullable ZoneId localTimes;
  private final long latestTicks;
  private List<String> others = List.of();
  private boolean cloudEvents;

  /** The field that the time of the current event is read from. */
  private int slot = FieldNames.TIME;

  private byte[] b = {};
  private long ticks;

  /**
   * Reads the times of one input.
   *
   * @param localTimes the zone of times without an offset; null: there are none
   * @param latestTicks a field that stands in for the time field is passed over if its time is
   *     later
   */
  EventTimes(EventFields fields, JsonScanner json, @Nullable ZoneId localTimes, long latestTicks) {
    this.fields = fields;
    this.json = json;
    this.localTimes = localTimes;
    this.latestTicks = latestTicks;
  }

  /** Sets the fields of the next events. The times of CloudEvents are those of RFC 3339 only. */
  void format(FieldMapping mapping, boolean areCloudEvents) {
    others = areCloudEvents ? List.of() : mapping.otherTimeFields();
    cloudEvents = areCloudEvents;
  }

  /** Whether the current event has a time field that is not null, whatever is in it. */
  boolean read(byte[] bytes) {
    b = bytes;
    slot = FieldNames.TIME;
    Kind kind = fields.kind(FieldNames.TIME);
    if (!kind.isMissing()) {
      ticks = ticks(kind);
      return true;
    }
    return !others.isEmpty() && readOthers();
  }

  private boolean readOthers() {
    int end = FieldNames.OTHER_TIME + others.size();
    for (slot = FieldNames.OTHER_TIME; slot < end; slot++) {
      if (fields.isClear(slot)) {
        ticks = ticks(fields.kind(slot));
        if (ticks != Rfc3339.NOT_A_TIME && Hour.covers(ticks) && ticks <= latestTicks) {
          return true;
        }
      }
    }
    slot = FieldNames.TIME;
    return false;
  }

  /** The time that was read last; {@link Rfc3339#NOT_A_TIME} if the field has none. */
  long ticks() {
    return ticks;
  }

  /** The field that stands in for the time field of the current event; null if none does. */
  @Nullable String standIn() {
    return slot == FieldNames.TIME ? null : others.get(slot - FieldNames.OTHER_TIME);
  }

  private long ticks(Kind kind) {
    int from = fields.from(slot);
    int to = fields.to(slot);
    if (kind == Kind.STRING) {
      return ticksOfText(b, from, to);
    }
    if (kind == Kind.ESCAPED) {
      byte[] text = JsonString.utf8(b, from, to);
      return ticksOfText(Body.padded(text), 0, text.length);
    }
    return kind == Kind.NUMBER ? TimeNumber.parse(b, from, to) : Rfc3339.NOT_A_TIME;
  }

  private long ticksOfText(byte[] text, int from, int to) {
    long parsed = times.parse(text, from, to);
    if (parsed != Rfc3339.NOT_A_TIME || cloudEvents) {
      return parsed;
    }
    if (localTimes != null) {
      long local = local(text, from, to);
      if (local != Rfc3339.NOT_A_TIME) {
        return LocalTimes.utc(local, localTimes);
      }
    }
    return TimeNumber.isNumber(json, text, from, to) ? TimeNumber.parse(text, from, to) : parsed;
  }

  /** The ticks of a time without a zone, as if it were one of UTC. */
  private long local(byte[] text, int from, int to) {
    long parsed = loose.read(text, from, to);
    return loose.isLocal() && loose.end() == to ? parsed : Rfc3339.NOT_A_TIME;
  }

  /** Whether the time field of the current event has a time that only lacks a zone. */
  boolean isZoneless() {
    Kind kind = fields.kind(FieldNames.TIME);
    int from = fields.from(FieldNames.TIME);
    int to = fields.to(FieldNames.TIME);
    return kind == Kind.STRING
        && !cloudEvents
        && localTimes == null
        && local(b, from, to) != Rfc3339.NOT_A_TIME;
  }

  /** The field's value as a message shows it. */
  String shown() {
    String shown = Utf8.shown(b, fields.from(slot), fields.to(slot));
    return fields.kind(slot).isText() ? '"' + shown + '"' : shown;
  }
}
