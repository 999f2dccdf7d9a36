package hourglass.ingest.decode;

import hourglass.access.TypePatterns;
import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the items of one input, one at a time: type, time and column name. Each write of a large
 * input has its own decoder, which continues where the last one ended. Not thread-safe.
 */
public final class EventDecoder implements AutoCloseable {
  private final DecoderCache.Limits limits;
  private final DecoderCache cache;
  private final JsonScanner json;
  private final EventFields fields;
  private final EventTypes types;
  private final EventTimes times;
  private final Identity identity;
  private final ItemCursor items;
  private final ColumnNamer namer;

  /** Whether an id without a time identifies an event that is no CloudEvent. */
  private final boolean isById;

  private final long nowTicks;
  private final long latestTicks;
  private final DecodedItem item = new DecodedItem();

  // These describe the current item. In most inputs they are the same for all items.
  private FieldMapping mapping;
  private boolean isCloudEvent;
  private FieldNames fieldNames;

  /** The time of an item that has none. */
  private long receivedTicks;

  private long earliestTicks;

  /** Whether a field of the item contains its time. */
  private boolean hasTime;

  /**
   * Continues an input. By default, each item must have a type, and one without a time gets the
   * time of receipt.
   *
   * @param cache the cache of the calling thread; no other decoder uses it until this one is closed
   * @param allowed the allowed types; others are rejected
   */
  public EventDecoder(
      DecoderCache cache,
      ItemCursor items,
      ColumnNamer namer,
      TypePatterns allowed,
      long receivedTicks) {
    this.limits = cache.limits;
    this.cache = cache;
    this.json = cache.json;
    this.fields = cache.fields;
    this.identity = cache.identity;
    this.items = items;
    this.namer = namer;
    this.types = new EventTypes(cache, items.rules, allowed);
    this.isById = items.rules.identity() == IdentityRule.ID;
    this.nowTicks = receivedTicks;
    this.latestTicks =
        Math.min(
            receivedTicks + limits.acceptEarly().toMillis() * Ticks.PER_MILLI,
            Hour.LAST.endTicks() - 1);
    this.times = new EventTimes(fields, json, items.rules.localTimes(), latestTicks);
    this.mapping = items.mapping;
    this.isCloudEvent = items.isCloudEvent;
    this.fieldNames = cache.names(mapping, isCloudEvent);
    times.format(mapping, isCloudEvent);
    this.receivedTicks = receivedTicks;
    this.earliestTicks = earliest(receivedTicks);
    json.lines(items.format == BodyFormat.NDJSON || items.format == BodyFormat.TEXT);
    item.isPacked = items.isPacked();
  }

  private long earliest(long sentTicks) {
    long first = Hour.FIRST.startTicks();
    return Math.max(first, sentTicks - limits.acceptLate().toMillis() * Ticks.PER_MILLI);
  }

  /** Releases the input. */
  @Override
  public void close() {
    fields.forget();
  }

  /** Copies the properties that the input gives for its current item. */
  private void begin() {
    if (items.isCloudEvent != isCloudEvent) { // their fields differ from those of other items
      mapping = items.mapping;
      isCloudEvent = items.isCloudEvent;
      fieldNames = cache.names(mapping, isCloudEvent);
      times.format(mapping, isCloudEvent);
    }
    if (items.isRecord && items.ticks != receivedTicks) {
      receivedTicks = items.ticks;
      // Lateness counts from the record's time, not from the time of reading.
      boolean isInRange = Hour.covers(receivedTicks);
      earliestTicks = earliest(isInRange ? Math.min(receivedTicks, nowTicks) : nowTicks);
    }
    item.recordId = items.id;
  }

  /**
   * Returns the next outcome, valid until the next call; null at the end of the input.
   *
   * @param explained whether a problem is described with the item's values, or only by its reason
   */
  public @Nullable DecodedItem next(boolean explained) {
    if (!items.next(json)) {
      return brokenBody(items.brokenBody(), 0);
    }
    item.bytes = items.source;
    int from = items.at;
    item.index = items.index();
    item.from = from;
    item.type = null;
    item.isZoneless = false;
    ItemCursor.Refusal refusal = items.refusal();
    if (refusal != null) {
      items.passBroken(json);
      item.to = items.at;
      return rejected(refusal.reason(), refusal.problem());
    }
    begin();
    boolean isBare = items.isBare() || items.isChecked() && mapping.readsNothing();
    int to = isBare ? skip() : scan(from);
    if (to < 0 || !items.pass(json, to)) {
      return notJson(from, explained);
    }
    item.to = items.isChecked() ? items.end() : to; // with white space behind it
    item.reason = judge(from, isBare);
    if (item.reason != null) {
      item.problem = explained ? problem(item.reason) : item.reason.text();
    }
    if (items.format == BodyFormat.TEXT) {
      items.judged(item);
    }
    return item;
  }

  private DecodedItem notJson(int from, boolean explained) {
    String problem = Reason.NOT_JSON.text();
    problem = explained ? "event: " + items.notJson(json, from, " of it") : problem;
    items.passBroken(json);
    item.to = items.at;
    String body = items.brokenBody();
    item.isBodyBroken = body != null;
    return rejected(Reason.NOT_JSON, body == null ? problem : body);
  }

  private DecodedItem rejected(Reason reason, String problem) {
    item.reason = reason;
    item.problem = problem;
    return item;
  }

  /** Reads the input to its end. Returns a rejection if no item of it may be stored, or null. */
  public @Nullable DecodedItem readAhead() {
    return brokenBody(items.brokenBodyAhead(json), items.index() + 1);
  }

  private @Nullable DecodedItem brokenBody(@Nullable String problem, int index) {
    if (problem == null) {
      return null;
    }
    item.index = index;
    item.from = 0;
    item.to = items.length();
    item.type = null;
    item.isBodyBroken = true;
    return rejected(Reason.NOT_JSON, problem);
  }

  private int skip() {
    json.reset();
    fields.forget();
    return items.end();
  }

  /** Returns the end of a value, or {@link JsonScanner#FAILED}. */
  private int scan(int at) {
    byte[] b = item.bytes;
    if (b[at] == '{') {
      return fields.scan(b, at, fieldNames);
    }
    json.reset();
    return json.value(b, at);
  }

  /**
   * Returns the reason to reject the scanned item, whose value begins at {@code from}; null if it
   * is an event to store.
   */
  private @Nullable Reason judge(int from, boolean isBare) {
    if (item.bytes[from] != '{') {
      return Reason.NOT_OBJECT;
    }
    if (item.to - from > limits.maxEventBytes()) {
      return Reason.EVENT_BYTES;
    }
    if (json.notUtf8At() >= 0) {
      return Reason.NOT_UTF8;
    }
    if (json.isTooDeep()) {
      return Reason.NESTING;
    }
    if (fieldNames.paths() != 0 && !isBare) {
      fields.followPaths(from, items.envelope(), fieldNames);
    }
    if (fields.twice() >= 0) {
      return Reason.FIELD_TWICE;
    }
    Reason typed = types.read(item, items.type, items.takesNullType());
    if (typed != null) {
      return typed;
    }
    if (isCloudEvent) {
      String against = CloudEvents.check(item.bytes, fields, fieldNames);
      if (against != null) {
        item.problem = "cloudevent: " + against;
        return Reason.CLOUDEVENT;
      }
    }
    Reason timed = readTime();
    if (timed != null) {
      return timed;
    }
    boolean named = namer.name(item, fields, identity, isCloudEvent);
    item.keepsFirstTime = item.isUntimed && item.hasId && (isCloudEvent || isById);
    if (item.keepsFirstTime) {
      item.more = identity.more();
    }
    return named ? null : Reason.ID_TEXT;
  }

  /** Describes a problem with the item's values. */
  private String problem(Reason reason) {
    int length = item.to - item.from;
    return switch (reason) {
      case NOT_OBJECT -> reason.text() + ": " + Utf8.shown(item.bytes, item.from, item.to);
      case EVENT_BYTES -> "event: " + length + " bytes, at most " + limits.maxEventBytes();
      case NOT_UTF8 -> "event: not UTF-8 at byte " + (json.notUtf8At() - item.from) + " of it";
      case NESTING -> "event: nested deeper than " + limits.maxNesting() + " levels";
      case FIELD_TWICE -> "field: \"" + fieldNames.text(fields.twice()) + "\" occurs twice";
      case TYPE_MISSING -> reason.text() + typeField();
      case TYPE_KIND -> reason.text() + ": " + shown(FieldNames.TYPE) + typeField();
      case TYPE_TEXT, CLOUDEVENT -> item.problem; // of the check
      case TIME_UNREADABLE -> reason.text() + ": " + timeShown() + zoneless();
      case TIME_YEARS -> "time: " + timeShown() + " is outside 2000-2099";
      case TIME_EARLY ->
          "time: %s is later than %s; want at most %s ahead of now"
              .formatted(
                  timeShown(), Ticks.text(latestTicks), DurationText.of(limits.acceptEarly()));
      case TIME_LATE ->
          isKept()
              ? "time: %s is before %s; want at most %s behind now"
                  .formatted(
                      timeShown(), Ticks.text(earliestTicks), DurationText.of(limits.acceptLate()))
              : "time: %s is older than %s, and the type is not kept longer"
                  .formatted(timeShown(), DurationText.of(item.typed().kept));
      default -> reason.text();
    };
  }

  private String shown(int slot) {
    return Utf8.shown(item.bytes, fields.from(slot), fields.to(slot));
  }

  private String typeField() {
    return " (field \"" + fieldNames.text(FieldNames.TYPE) + "\")";
  }

  private @Nullable Reason readTime() {
    hasTime = times.read(item.bytes);
    boolean isTimed = !items.isRecord && items.ticks != Rfc3339.NOT_A_TIME; // by its protocol
    item.isUntimed = !hasTime && !isTimed;
    item.ticks = hasTime ? times.ticks() : isTimed ? items.ticks : receivedTicks;
    item.timeField = hasTime ? times.standIn() : null;
    long ticks = item.ticks;
    if (ticks >= earliestTicks && ticks <= latestTicks && isKept()) {
      return null;
    }
    if (!item.isUntimed && takesBadTime(ticks)) {
      item.isUntimed = true;
      item.ticks = nowTicks;
      item.timeField = null;
      return null;
    }
    if (ticks == Rfc3339.NOT_A_TIME) {
      item.isZoneless = hasTime && times.isZoneless();
      return Reason.TIME_UNREADABLE;
    }
    if (!Hour.covers(ticks)) {
      return Reason.TIME_YEARS;
    }
    return ticks > latestTicks ? Reason.TIME_EARLY : Reason.TIME_LATE;
  }

  /**
   * Returns whether an item with a bad time gets the time of receipt. Where clients repeat, an old
   * event is rejected instead, since each repeat of it would be stored as another one.
   */
  private boolean takesBadTime(long ticks) {
    boolean isOld = Hour.covers(ticks) && ticks <= latestTicks;
    return items.rules.takesBadTimes() && !(isOld && items.refusesOld());
  }

  private boolean isKept() {
    return item.typed().isKept(item.ticks, nowTicks);
  }

  private String timeShown() {
    if (item.isUntimed) {
      return item.ticks == Rfc3339.NOT_A_TIME
          ? "none, nor has the record one"
          : "the record's, " + Ticks.text(item.ticks);
    }
    return hasTime ? times.shown() : Ticks.text(item.ticks);
  }

  private String zoneless() {
    return item.isZoneless ? "; " + items.zoneRemedy() : "";
  }
}
