package hourglass.ingest.decode;

import hourglass.access.TypePatterns;
import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import hourglass.ingest.decode.EventFields.Kind;
import hourglass.ingest.decode.TypeCache.CachedType;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decodes one item at a time, for many inputs: type, time and column name. Not thread-safe. */
public final class EventDecoder {
  private static final byte[] NOTHING = {};

  private final Duration acceptLate;
  private final Duration acceptEarly;
  private final int maxEventBytes;
  private final int maxNesting;
  private final JsonScanner json;
  private final EventFields fields;
  private final TypeCache types;
  private final EventTimes times;
  private final Identity identity = new Identity();
  private FieldMapping mapping = FieldMapping.DEFAULT;
  private FieldNames fieldNames = FieldNames.of(mapping, false);
  private boolean cloudEvents;
  private @Nullable CachedType fixedType;
  private @Nullable CachedType defaultType;
  private TypePatterns allowed = TypePatterns.ALL;

  /** Checked last, and allowed. */
  private @Nullable CachedType lastAllowed;

  private @Nullable String recordType;
  private @Nullable CachedType cachedRecordType;

  /** Whether an id without a time identifies an event that is no CloudEvent. */
  private boolean isById;

  private long defaultTicks;

  /** Whether the default is the event's own time, and not that of receipt. */
  private boolean isTimed;

  /** Whether a field of the item says its time. */
  private boolean hasTime;

  private long nowTicks;
  private long earliestTicks;
  private long latestTicks;

  private final DecodedItem item = new DecodedItem();
  private byte[] b = NOTHING;
  private @Nullable ItemCursor cursor;
  private @Nullable ColumnNamer namer;
  private boolean explains = true;

  public EventDecoder(
      Duration acceptLate,
      Duration acceptEarly,
      int maxEventBytes,
      int maxNesting,
      Function<String, Duration> retention) {
    this.acceptLate = acceptLate;
    this.acceptEarly = acceptEarly;
    this.maxEventBytes = maxEventBytes;
    this.maxNesting = maxNesting;
    this.types = new TypeCache(retention);
    this.json = new JsonScanner(maxNesting);
    this.fields = new EventFields(json);
    this.times = new EventTimes(fields, json);
    times.format(mapping, false);
  }

  /**
   * By default, each item must have a type, and one without a time gets that of receipt.
   *
   * @param allowedTypes others are rejected
   */
  public void begin(
      ItemCursor items, ColumnNamer names, TypePatterns allowedTypes, long receivedTicks) {
    allowed = allowedTypes;
    lastAllowed = null;
    cursor = items;
    namer = names;
    b = items.b;
    item.bytes = b;
    item.isPacked = items.isPacked();
    item.isBodyBroken = false;
    format(items.format, items.rules.mapping());
    fixedType = mapping.type() == null ? null : types.get(mapping.type());
    String byDefault = items.rules.defaultType();
    defaultType = byDefault == null ? null : types.get(byDefault);
    times.localTimes(items.rules.localTimes());
    isById = items.rules.identity() == IdentityRule.ID;
    recordType = null;
    cachedRecordType = null;
    item.recordId = null;
    isTimed = false;
    defaultTicks = receivedTicks;
    nowTicks = receivedTicks;
    latestTicks =
        Math.min(
            receivedTicks + acceptEarly.toMillis() * Ticks.PER_MILLI, Hour.LAST.endTicks() - 1);
    earliestTicks = earliest(receivedTicks);
    times.latest(latestTicks);
  }

  /** Sets the format of the next items; a type for all of them stays. */
  void format(BodyFormat format, FieldMapping newMapping) {
    json.lines(format == BodyFormat.NDJSON || format == BodyFormat.TEXT);
    boolean areCloudEvents = format == BodyFormat.CLOUDEVENTS;
    if (cloudEvents != areCloudEvents || !mapping.equals(newMapping)) {
      cloudEvents = areCloudEvents;
      mapping = newMapping;
      fieldNames = FieldNames.of(mapping, cloudEvents);
      times.format(mapping, cloudEvents);
    }
  }

  /**
   * Sets what a protocol says of an event, for where its payload does not say it.
   *
   * @param ticks {@link Rfc3339#NOT_A_TIME} for none
   */
  void record(@Nullable String type, long ticks, byte @Nullable [] id) {
    isTimed = ticks != Rfc3339.NOT_A_TIME;
    defaultTicks = isTimed ? ticks : nowTicks;
    item.recordId = id;
    if (!Objects.equals(type, recordType)) {
      recordType = type;
      cachedRecordType = null;
    }
  }

  /** Sets the time of events without one; {@link Rfc3339#NOT_A_TIME} rejects them. */
  void defaultTime(long ticks) {
    defaultTicks = ticks;
    // Lateness counts from the record's time, not from the time of reading.
    earliestTicks = earliest(Hour.covers(ticks) ? Math.min(ticks, nowTicks) : nowTicks);
  }

  private long earliest(long sentTicks) {
    long first = Hour.FIRST.startTicks();
    return Math.max(first, sentTicks - acceptLate.toMillis() * Ticks.PER_MILLI);
  }

  /** Releases the input. */
  public void end() {
    cursor = null;
    namer = null;
    b = NOTHING;
    item.bytes = NOTHING;
    item.type = null;
    item.recordId = null;
    fields.forget();
  }

  /**
   * The next outcome, valid until the next call; null at the end of the input.
   *
   * @param explained whether a problem is described with the item's values, or only by its reason
   */
  public @Nullable DecodedItem next(boolean explained) {
    ItemCursor items = Objects.requireNonNull(cursor);
    explains = explained;
    if (!items.next(json)) {
      return brokenBody(items.brokenBody(), 0);
    }
    b = items.source;
    item.bytes = b;
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
    items.prepare(this);
    boolean isBare = items.isBare() || items.isChecked() && mapping.readsNothing();
    int to = isBare ? skip(items) : scan(from);
    if (to < 0 || !items.pass(json, to)) {
      return notJson(items, from);
    }
    item.to = items.isChecked() ? items.end() : to; // with white space behind it
    item.reason = judge(from, to, isBare);
    if (item.reason != null) {
      item.problem = explains ? problem(item.reason) : item.reason.text();
    }
    if (items.format == BodyFormat.TEXT) {
      items.judged(item);
    }
    return item;
  }

  private DecodedItem notJson(ItemCursor items, int from) {
    String problem = Reason.NOT_JSON.text();
    problem = explains ? "event: " + items.notJson(json, from, " of it") : problem;
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

  /** Reads the input to its end; a rejection if none of it may be stored, or null. */
  public @Nullable DecodedItem readAhead() {
    ItemCursor items = Objects.requireNonNull(cursor);
    return brokenBody(items.brokenBodyAhead(json), items.index() + 1);
  }

  private @Nullable DecodedItem brokenBody(@Nullable String problem, int index) {
    if (problem == null) {
      return null;
    }
    item.index = index;
    item.from = 0;
    item.to = Objects.requireNonNull(cursor).length();
    item.type = null;
    item.isBodyBroken = true;
    return rejected(Reason.NOT_JSON, problem);
  }

  private int skip(ItemCursor items) {
    json.reset();
    fields.forget();
    return items.end();
  }

  /** Returns the end of a value, or {@link JsonScanner#FAILED}. */
  private int scan(int at) {
    if (b[at] == '{') {
      return fields.scan(b, at, fieldNames);
    }
    json.reset();
    return json.value(b, at);
  }

  /** Null if the scanned value {@code [from, to)} is an event to store. */
  private @Nullable Reason judge(int from, int to, boolean isBare) {
    if (b[from] != '{') {
      return Reason.NOT_OBJECT;
    }
    if (to - from > maxEventBytes) {
      return Reason.EVENT_BYTES;
    }
    if (json.notUtf8At() >= 0) {
      return Reason.NOT_UTF8;
    }
    if (json.isTooDeep()) {
      return Reason.NESTING;
    }
    if (fieldNames.paths() != 0 && !isBare) {
      fields.followPaths(from, Objects.requireNonNull(cursor).envelope(), fieldNames);
    }
    if (fields.twice() >= 0) {
      return Reason.FIELD_TWICE;
    }
    Reason typed = readType();
    if (typed != null) {
      return typed;
    }
    if (!isAllowed(item.typed())) {
      return Reason.TYPE_NOT_ALLOWED;
    }
    if (cloudEvents) {
      String against = CloudEvents.check(b, fields, fieldNames);
      if (against != null) {
        item.problem = "cloudevent: " + against;
        return Reason.CLOUDEVENT;
      }
    }
    Reason timed = readTime();
    if (timed != null) {
      return timed;
    }
    boolean named = Objects.requireNonNull(namer).name(item, fields, identity, cloudEvents);
    item.keepsFirstTime = item.isUntimed && item.hasId && (cloudEvents || isById);
    if (item.keepsFirstTime) {
      item.more = identity.more();
    }
    return named ? null : Reason.ID_TEXT;
  }

  /** Describes a problem with the item's values. */
  private String problem(Reason reason) {
    int length = item.to - item.from;
    return switch (reason) {
      case NOT_OBJECT -> reason.text() + ": " + Utf8.shown(b, item.from, item.to);
      case EVENT_BYTES -> "event: " + length + " bytes, at most " + maxEventBytes;
      case NOT_UTF8 -> "event: not UTF-8 at byte " + (json.notUtf8At() - item.from) + " of it";
      case NESTING -> "event: nested deeper than " + maxNesting + " levels";
      case FIELD_TWICE -> "field: \"" + fieldNames.text(fields.twice()) + "\" occurs twice";
      case TYPE_MISSING -> reason.text() + typeField();
      case TYPE_KIND -> reason.text() + ": " + shown(FieldNames.TYPE) + typeField();
      case TYPE_TEXT, CLOUDEVENT -> item.problem; // of the check
      case TIME_UNREADABLE -> reason.text() + ": " + timeShown() + zoneless();
      case TIME_YEARS -> "time: " + timeShown() + " is outside 2000-2099";
      case TIME_EARLY ->
          "time: %s is later than %s; want at most %s ahead of now"
              .formatted(timeShown(), Ticks.text(latestTicks), DurationText.of(acceptEarly));
      case TIME_LATE ->
          isKept()
              ? "time: %s is before %s; want at most %s behind now"
                  .formatted(timeShown(), Ticks.text(earliestTicks), DurationText.of(acceptLate))
              : "time: %s is older than %s, and the type is not kept longer"
                  .formatted(timeShown(), DurationText.of(item.typed().kept));
      default -> reason.text();
    };
  }

  private String shown(int slot) {
    return Utf8.shown(b, fields.from(slot), fields.to(slot));
  }

  private @Nullable Reason readType() {
    if (fixedType != null) {
      item.type = fixedType;
      return null;
    }
    Kind kind = fields.kind(FieldNames.TYPE);
    int from = fields.from(FieldNames.TYPE);
    int to = fields.to(FieldNames.TYPE);
    try {
      if (kind == Kind.STRING) {
        item.type = types.get(b, from, to);
      } else if (kind == Kind.ESCAPED) {
        item.type = types.get(EventType.check(JsonString.decode(b, from, to)));
      } else if (kind == Kind.ABSENT || kind == Kind.NULL && isNullNoType()) {
        item.type = recordType == null ? defaultType : typeOfRecord(recordType);
        return item.type == null ? Reason.TYPE_MISSING : null;
      } else {
        return Reason.TYPE_KIND;
      }
      return null;
    } catch (IllegalArgumentException e) {
      item.problem = String.valueOf(e.getMessage());
      return Reason.TYPE_TEXT;
    }
  }

  private boolean isNullNoType() {
    return Objects.requireNonNull(cursor).takesNullType();
  }

  private CachedType typeOfRecord(String text) {
    CachedType type = cachedRecordType;
    if (type == null) {
      type = types.get(EventType.check(text));
      cachedRecordType = type;
    }
    return type;
  }

  /** Most events of a request have the type of the one before. */
  private boolean isAllowed(CachedType type) {
    boolean isAllowed = allowed.isAll() || type == lastAllowed || allowed.allows(type.text);
    lastAllowed = isAllowed ? type : lastAllowed;
    return isAllowed;
  }

  private String typeField() {
    return " (field \"" + fieldNames.text(FieldNames.TYPE) + "\")";
  }

  private @Nullable Reason readTime() {
    hasTime = times.read(b);
    item.isUntimed = !hasTime && !isTimed;
    item.ticks = hasTime ? times.ticks() : defaultTicks;
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

  /** With the time of receipt, each repeat of an old event would be another one. */
  private boolean takesBadTime(long ticks) {
    ItemCursor items = Objects.requireNonNull(cursor);
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
    return item.isZoneless ? "; " + Objects.requireNonNull(cursor).zoneRemedy() : "";
  }
}
