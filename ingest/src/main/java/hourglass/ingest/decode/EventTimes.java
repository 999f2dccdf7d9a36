package hourglass.ingest.decode;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import hourglass.ingest.decode.EventFields.Kind;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the times of events, and decides whether they are accepted. The time is that of a field, or
 * else of the protocol, or else of receipt.
 *
 * <p>Where the time field is absent or null, the first of the other time fields that contains a
 * time of 2000-2099 replaces it. A field that has such a name but no such time is passed over, such
 * as {@code "ts":"later"} or one that occurs twice.
 *
 * <p>A thread keeps one instance for all its inputs. Not thread-safe.
 */
final class EventTimes {
  /** The slot in place of one if no field contains a time. */
  private static final int NO_FIELD = -1;

  private final EventDecoder.Limits limits;
  private final EventFields fields;
  private final JsonScanner json;
  private final Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
  private final LooseTime loose = new LooseTime();

  // These belong to the input that is read.
  private @Nullable ZoneId localTimes;
  private long nowTicks;
  private long latestTicks;

  /** The time of an event that has none. */
  private long receivedTicks;

  private long earliestTicks;

  /** The field from which the time of the current event is read, or {@link #NO_FIELD}. */
  private int slot;

  EventTimes(EventDecoder.Limits limits, EventFields fields, JsonScanner json) {
    this.limits = limits;
    this.fields = fields;
    this.json = json;
  }

  /** Begins an input that was received at a time. */
  void begin(ItemRules rules, long received) {
    localTimes = rules.localTimes();
    nowTicks = received;
    latestTicks =
        Math.min(
            received + limits.acceptEarly().toMillis() * Ticks.PER_MILLI, Hour.LAST.endTicks() - 1);
    receivedTicks = received;
    earliestTicks = earliest(received);
  }

  private long earliest(long sentTicks) {
    long first = Hour.FIRST.startTicks();
    return Math.max(first, sentTicks - limits.acceptLate().toMillis() * Ticks.PER_MILLI);
  }

  /** Sets the time of a scanned event that has a type. Returns the reason to reject it, or null. */
  @Nullable Reason read(DecodedItem item, ItemCursor items) {
    if (items.isRecord && items.ticks != receivedTicks) {
      receivedTicks = items.ticks;
      // Lateness counts from the record's time, not from the time of reading.
      boolean isInRange = Hour.covers(receivedTicks);
      earliestTicks = earliest(isInRange ? Math.min(receivedTicks, nowTicks) : nowTicks);
    }
    long ofField = ofField(items);
    boolean hasField = slot != NO_FIELD;
    boolean isTimed = !items.isRecord && items.ticks != Rfc3339.NOT_A_TIME; // by its protocol
    long ticks = hasField ? ofField : isTimed ? items.ticks : receivedTicks;
    item.time.isUntimed = !hasField && !isTimed;
    item.name.ticks = ticks;
    item.time.field = slot < FieldNames.OTHER_TIME ? null : otherField(items, slot);
    if (ticks >= earliestTicks && ticks <= latestTicks && isKept(item)) {
      return null;
    }
    if (!item.time.isUntimed && takesBadTime(ticks, items)) {
      item.time.isUntimed = true;
      item.name.ticks = nowTicks;
      item.time.field = null;
      return null;
    }
    if (ticks == Rfc3339.NOT_A_TIME) {
      item.time.isZoneless = hasField && isZoneless(items.isCloudEvent);
      return Reason.TIME_UNREADABLE;
    }
    if (!Hour.covers(ticks)) {
      return Reason.TIME_YEARS;
    }
    return ticks > latestTicks ? Reason.TIME_EARLY : Reason.TIME_LATE;
  }

  private boolean isKept(DecodedItem item) {
    return item.typed().isKept(item.name.ticks, nowTicks);
  }

  /**
   * Returns whether an item with a bad time gets the time of receipt. Where clients repeat, an old
   * event is rejected instead, since each repeat of it would be stored as another one.
   */
  private boolean takesBadTime(long ticks, ItemCursor items) {
    boolean isOld = Hour.covers(ticks) && ticks <= latestTicks;
    return items.rules.takesBadTimes() && !(isOld && items.refusesOld());
  }

  private static String otherField(ItemCursor items, int slot) {
    return items.mapping.otherTimeFields().get(slot - FieldNames.OTHER_TIME);
  }

  /**
   * Sets the slot of the field with the time, and returns its time; {@link Rfc3339#NOT_A_TIME} if
   * the field contains none, or if there is no such field.
   */
  private long ofField(ItemCursor items) {
    slot = FieldNames.TIME;
    Kind kind = fields.kind(slot);
    if (!kind.isMissing()) {
      return ticks(kind, items.isCloudEvent);
    }
    List<String> others = items.mapping.otherTimeFields();
    if (!items.isCloudEvent && !others.isEmpty()) {
      int end = FieldNames.OTHER_TIME + others.size();
      for (slot = FieldNames.OTHER_TIME; slot < end; slot++) {
        long ticks = fields.isClear(slot) ? ticks(fields.kind(slot), false) : Rfc3339.NOT_A_TIME;
        if (ticks != Rfc3339.NOT_A_TIME && Hour.covers(ticks) && ticks <= latestTicks) {
          return ticks;
        }
      }
    }
    slot = NO_FIELD;
    return Rfc3339.NOT_A_TIME;
  }

  /** Returns the time in the slot. CloudEvents allow only times of RFC 3339. */
  private long ticks(Kind kind, boolean isCloudEvent) {
    int from = fields.from(slot);
    int to = fields.to(slot);
    if (kind == Kind.STRING) {
      return ticksOfText(fields.bytes(), from, to, isCloudEvent);
    }
    if (kind == Kind.ESCAPED) {
      byte[] text = JsonString.utf8(fields.bytes(), from, to);
      return ticksOfText(Body.padded(text), 0, text.length, isCloudEvent);
    }
    return kind == Kind.NUMBER ? TimeNumber.parse(fields.bytes(), from, to) : Rfc3339.NOT_A_TIME;
  }

  private long ticksOfText(byte[] text, int from, int to, boolean isCloudEvent) {
    long parsed = times.parse(text, from, to);
    if (parsed != Rfc3339.NOT_A_TIME || isCloudEvent) {
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
  private boolean isZoneless(boolean isCloudEvent) {
    int from = fields.from(FieldNames.TIME);
    int to = fields.to(FieldNames.TIME);
    return fields.kind(FieldNames.TIME) == Kind.STRING
        && !isCloudEvent
        && localTimes == null
        && local(fields.bytes(), from, to) != Rfc3339.NOT_A_TIME;
  }

  /** Describes why the time that was read last is rejected. */
  String problem(Reason reason, DecodedItem item, ItemCursor items) {
    String time = shown(item);
    return switch (reason) {
      case TIME_YEARS -> "time: " + time + " is outside 2000-2099";
      case TIME_EARLY ->
          "time: %s is later than %s; want at most %s ahead of now"
              .formatted(time, Ticks.text(latestTicks), text(limits.acceptEarly()));
      case TIME_LATE ->
          isKept(item)
              ? "time: %s is before %s; want at most %s behind now"
                  .formatted(time, Ticks.text(earliestTicks), text(limits.acceptLate()))
              : "time: %s is older than %s, and the type is not kept longer"
                  .formatted(time, text(item.typed().kept));
      default ->
          reason.text() + ": " + time + (item.time.isZoneless ? "; " + items.zoneRemedy() : "");
    };
  }

  /** Returns a duration as settings write it, in the largest unit that divides it. */
  private static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % TimeUnit.DAYS.toMillis(1) == 0) {
      return duration.toDays() + " d";
    }
    if (millis % TimeUnit.HOURS.toMillis(1) == 0) {
      return duration.toHours() + " h";
    }
    if (millis % TimeUnit.MINUTES.toMillis(1) == 0) {
      return duration.toMinutes() + " min";
    }
    return millis % 1_000 == 0 ? duration.toSeconds() + " s" : millis + " ms";
  }

  private String shown(DecodedItem item) {
    if (item.time.isUntimed) {
      return item.name.ticks == Rfc3339.NOT_A_TIME
          ? "none, nor has the record one"
          : "the record's, " + Ticks.text(item.name.ticks);
    }
    if (slot == NO_FIELD) {
      return Ticks.text(item.name.ticks);
    }
    String shown = Utf8.shown(fields.bytes(), fields.from(slot), fields.to(slot));
    return fields.kind(slot).isText() ? '"' + shown + '"' : shown;
  }
}
