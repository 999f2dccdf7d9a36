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
 * first of the other time fields that contains a time of 2000-2099 replaces it. A field that has
 * such a name but no such time is passed over, such as {@code "ts":"later"} or one that occurs
 * twice. Not thread-safe.
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

  /** The field from which the time of the current event is read. */
  private int slot = FieldNames.TIME;

  private byte[] b = {};
  private long ticks;

  /**
   * Reads the times of one input.
   *
   * @param localTimes the zone of times without an offset; null if they are not accepted
   * @param latestTicks the latest time of a field that replaces the time field; one with a later
   *     time is passed over
   */
  EventTimes(EventFields fields, JsonScanner json, @Nullable ZoneId localTimes, long latestTicks) {
    this.fields = fields;
    this.json = json;
    this.localTimes = localTimes;
    this.latestTicks = latestTicks;
  }

  /** Sets the fields of the next events. CloudEvents allow only times of RFC 3339. */
  void format(FieldMapping mapping, boolean areCloudEvents) {
    others = areCloudEvents ? List.of() : mapping.otherTimeFields();
    cloudEvents = areCloudEvents;
  }

  /** Returns whether the current event has a time field that is not null, whatever it contains. */
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

  /** Returns the time that was read last; {@link Rfc3339#NOT_A_TIME} if the field contains none. */
  long ticks() {
    return ticks;
  }

  /** Returns the field that replaces the time field of the current event; null if none does. */
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

  /** Returns the ticks of a time without a zone, as if it were in UTC. */
  private long local(byte[] text, int from, int to) {
    long parsed = loose.read(text, from, to);
    return loose.isLocal() && loose.end() == to ? parsed : Rfc3339.NOT_A_TIME;
  }

  /** Returns whether the time field of the current event contains a time that only lacks a zone. */
  boolean isZoneless() {
    Kind kind = fields.kind(FieldNames.TIME);
    int from = fields.from(FieldNames.TIME);
    int to = fields.to(FieldNames.TIME);
    return kind == Kind.STRING
        && !cloudEvents
        && localTimes == null
        && local(b, from, to) != Rfc3339.NOT_A_TIME;
  }

  /** Returns the field's value as a message shows it. */
  String shown() {
    String shown = Utf8.shown(b, fields.from(slot), fields.to(slot));
    return fields.kind(slot).isText() ? '"' + shown + '"' : shown;
  }
}
