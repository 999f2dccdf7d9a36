package hourglass.ingest;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.bucketing.Ticks;
import hourglass.ingest.EventFields.Kind;
import hourglass.ingest.TypeCache.CachedType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decodes and judges one event at a time: finds its type, time and id in the bytes. Holds the
 * results until the next event. Not thread-safe: one instance a thread, for many requests.
 */
final class EventDecoder {
  private static final byte[] NO_SOURCE = {};

  private final IngestOptions options;
  private final JsonScanner json;
  private final EventFields fields;
  private final TypeCache types;
  private final TimeText times = new TimeText();
  private final Identity identity = new Identity();
  private final long acceptEarlyTicks;
  private final long acceptLateTicks;

  private FieldMapping mapping = FieldMapping.DEFAULT;
  private FieldNames names = FieldNames.of(mapping, false);
  private boolean cloudEvents;
  private @Nullable CachedType fixedType;
  private @Nullable CachedType defaultType;
  private long defaultTicks;
  private long nowTicks;
  private long earliestTicks;
  private long latestTicks;

  private byte[] b = {};
  private @Nullable CachedType type;
  private long ticks;
  private boolean untimed;
  private String problem = "";
  private boolean explains = true;

  EventDecoder(IngestOptions options) {
    this.options = options;
    this.types = new TypeCache(options.retention());
    this.json = new JsonScanner(options.maxNesting());
    this.fields = new EventFields(json);
    this.acceptEarlyTicks = options.acceptEarly().toMillis() * Ticks.PER_MILLI;
    this.acceptLateTicks =
        options.acceptLate() == null
            ? Long.MAX_VALUE
            : options.acceptLate().toMillis() * Ticks.PER_MILLI;
  }

  /**
   * Prepares for a run of events that were received at a time: of {@link BodyFormat#JSON}, until
   * told otherwise. One without a time has that of receipt, and each must have a type.
   */
  void begin(byte[] bytes, FieldMapping newMapping, long receivedTicks) {
    b = bytes;
    mapping = newMapping;
    cloudEvents = false;
    names = FieldNames.of(mapping, false);
    json.lines(false);
    fixedType = mapping.type() == null ? null : cached(mapping.type());
    defaultType = null;
    defaultTicks = receivedTicks;
    nowTicks = receivedTicks;
    latestTicks = Math.min(receivedTicks + acceptEarlyTicks, Hour.LAST.endTicks() - 1);
    earliestTicks = earliest(receivedTicks);
  }

  /** How the next events are written; the type that all have, if any, stays. */
  void format(BodyFormat format, FieldMapping newMapping) {
    json.lines(format.isLines());
    if (cloudEvents != format.isCloudEvents() || !mapping.equals(newMapping)) {
      cloudEvents = format.isCloudEvents();
      mapping = newMapping;
      names = FieldNames.of(mapping, cloudEvents);
    }
  }

  /** The type of events that have none. */
  void unlessTyped(String text) {
    defaultType = cached(text);
  }

  /**
   * The time of the next events, if they have none.
   *
   * @param ticks {@link TimeText#NOT_A_TIME} for none
   */
  void unlessTimed(long ticks) {
    defaultTicks = ticks;
    // How late an event is, its source knew then: not how long it took to be read.
    earliestTicks = earliest(Hour.covers(ticks) ? Math.min(ticks, nowTicks) : nowTicks);
  }

  private long earliest(long sentTicks) {
    return acceptLateTicks > sentTicks - Hour.FIRST.startTicks()
        ? Hour.FIRST.startTicks()
        : sentTicks - acceptLateTicks;
  }

  /** Lets go of the request's bytes. */
  void end() {
    b = NO_SOURCE;
    fields.forget();
  }

  private CachedType cached(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return types.get(Words.padded(utf8, 0, utf8.length), 0, utf8.length);
  }

  /** Whether the next events' problems are told at length, or only by their reasons. */
  void explain(boolean yes) {
    explains = yes;
  }

  JsonScanner json() {
    return json;
  }

  Identity identity() {
    return identity;
  }

  /**
   * Scans the value at a position; returns the position after it, or {@link JsonScanner#FAILED}.
   */
  int scan(int at) {
    type = null;
    if (b[at] == '{') {
      return fields.scan(b, at, names);
    }
    json.reset();
    return json.value(b, at);
  }

  /** Judges the value scanned last, {@code [from, to)}: null where it is an event to store. */
  @Nullable Reason judge(int from, int to) {
    Reason shape = shape(from, to);
    if (shape != null) {
      return shape;
    }
    if (names.hasPaths()) {
      fields.followPaths(from, names);
    }
    if (fields.twice() >= 0) {
      return refuse(
          Reason.FIELD_TWICE, () -> "field: \"" + names.text(fields.twice()) + "\" occurs twice");
    }
    Reason typed = readType();
    if (typed != null) {
      return typed;
    }
    if (cloudEvents) {
      String against = CloudEventRules.check(b, fields, names);
      if (against != null) {
        return refuse(Reason.CLOUDEVENT, () -> "cloudevent: " + against);
      }
    }
    return readTime();
  }

  private @Nullable Reason shape(int from, int to) {
    if (b[from] != '{') {
      return refuse(
          Reason.NOT_OBJECT, () -> Reason.NOT_OBJECT.text() + ": " + JsonText.shown(b, from, to));
    }
    if (to - from > options.maxEventBytes()) {
      return refuse(
          Reason.EVENT_BYTES,
          () -> "event: " + (to - from) + " bytes, at most " + options.maxEventBytes());
    }
    if (json.notUtf8At() >= 0) {
      return refuse(
          Reason.NOT_UTF8,
          () -> "event: not UTF-8 at byte " + (json.notUtf8At() - from) + " of it");
    }
    return json.isTooDeep()
        ? refuse(
            Reason.NESTING, () -> "event: nested deeper than " + options.maxNesting() + " levels")
        : null;
  }

  private Reason refuse(Reason reason, Supplier<String> text) {
    problem = explains ? text.get() : reason.text();
    return reason;
  }

  private @Nullable Reason readType() {
    if (fixedType != null) {
      type = fixedType;
      return null;
    }
    Kind kind = fields.kind(FieldNames.TYPE);
    int from = fields.from(FieldNames.TYPE);
    int to = fields.to(FieldNames.TYPE);
    try {
      if (kind == Kind.STRING) {
        type = types.get(b, from, to);
        return null;
      }
      if (kind == Kind.ESCAPED) {
        type = cached(hourglass.bucketing.EventType.check(JsonText.text(b, from, to)));
        return null;
      }
    } catch (IllegalArgumentException e) {
      return refuse(Reason.TYPE_TEXT, () -> String.valueOf(e.getMessage()));
    }
    if (kind.isMissing() && defaultType != null) {
      type = defaultType;
      return null;
    }
    return kind.isMissing()
        ? refuse(Reason.TYPE_MISSING, () -> Reason.TYPE_MISSING.text() + typeField())
        : refuse(
            Reason.TYPE_KIND,
            () -> Reason.TYPE_KIND.text() + ": " + JsonText.shown(b, from, to) + typeField());
  }

  private String typeField() {
    return " (field \"" + names.text(FieldNames.TYPE) + "\")";
  }

  private @Nullable Reason readTime() {
    Kind kind = fields.kind(FieldNames.TIME);
    untimed = kind.isMissing();
    ticks =
        untimed
            ? defaultTicks
            : ticks(kind, fields.from(FieldNames.TIME), fields.to(FieldNames.TIME));
    return ticks >= earliestTicks && ticks <= latestTicks && isKept() ? null : outside(kind);
  }

  private boolean isKept() {
    Duration kept = type == null ? null : type.kept();
    return kept == null || nowTicks - ticks < kept.toMillis() * Ticks.PER_MILLI;
  }

  private long ticks(Kind kind, int from, int to) {
    if (kind == Kind.STRING) {
      return ticksOfText(b, from, to);
    }
    if (kind == Kind.ESCAPED) {
      byte[] text = JsonText.unescape(b, from, to);
      return ticksOfText(Arrays.copyOf(text, text.length + Body.PADDING), 0, text.length);
    }
    return kind == Kind.NUMBER ? TimeNumber.parse(b, from, to) : TimeText.NOT_A_TIME;
  }

  private long ticksOfText(byte[] text, int from, int to) {
    long parsed = times.parse(text, from, to);
    boolean mayBeNumber = parsed == TimeText.NOT_A_TIME && !cloudEvents;
    return mayBeNumber && TimeNumber.isNumber(json, text, from, to)
        ? TimeNumber.parse(text, from, to)
        : parsed;
  }

  private Reason outside(Kind kind) {
    if (ticks == TimeText.NOT_A_TIME) {
      return refuse(
          Reason.TIME_UNREADABLE, () -> Reason.TIME_UNREADABLE.text() + ": " + timeShown(kind));
    }
    if (!Hour.covers(ticks)) {
      return refuse(Reason.TIME_YEARS, () -> "time: " + timeShown(kind) + " is outside 2000-2099");
    }
    boolean early = ticks > latestTicks;
    CachedType aged = type;
    if (!early && aged != null && !isKept()) {
      return refuse(
          Reason.TIME_LATE,
          () ->
              "time: "
                  + timeShown(kind)
                  + " is older than "
                  + aged.kept()
                  + ", and the type is not kept longer");
    }
    return refuse(
        early ? Reason.TIME_EARLY : Reason.TIME_LATE,
        () ->
            "time: "
                + timeShown(kind)
                + (early ? " is later than " : " is before ")
                + Ticks.text(early ? latestTicks : earliestTicks)
                + allowed(early));
  }

  private String timeShown(Kind kind) {
    if (untimed) {
      return ticks == TimeText.NOT_A_TIME
          ? "none, nor has the record one"
          : "the record's, " + Ticks.text(ticks);
    }
    String shown = JsonText.shown(b, fields.from(FieldNames.TIME), fields.to(FieldNames.TIME));
    return kind.isText() ? '"' + shown + '"' : shown;
  }

  private String allowed(boolean early) {
    return early
        ? ", now and " + options.acceptEarly() + " early"
        : ", now less " + options.acceptLate();
  }

  /** What the event's reason looks like to its sender, after {@link #judge} gave one. */
  String problem() {
    return problem;
  }

  /** The event's type; null if it is refused and none was found. */
  @Nullable CachedType type() {
    return type;
  }

  long ticks() {
    return ticks;
  }

  /** Whether the event came without a time. */
  boolean isUntimed() {
    return untimed;
  }

  /** Whether the event names itself: a string that is not empty, or a number. */
  boolean hasId() {
    Kind kind = fields.kind(FieldNames.ID);
    return kind == Kind.NUMBER
        || kind.isText() && fields.from(FieldNames.ID) < fields.to(FieldNames.ID);
  }

  /** The lower half of the name that the event's id gives, or null for half a surrogate pair. */
  @Nullable Long idLsb(CachedType of) {
    byte[] source = cloudEvents ? utf8(FieldNames.CE_SOURCE) : NO_SOURCE;
    if (fields.kind(FieldNames.ID) != Kind.ESCAPED) {
      return source == null
          ? null
          : identity.ofId(
              of.utf8(), source, b, fields.from(FieldNames.ID), fields.to(FieldNames.ID));
    }
    byte[] id = utf8(FieldNames.ID);
    return id == null || source == null ? null : identity.ofId(of.utf8(), source, id, 0, id.length);
  }

  private byte @Nullable [] utf8(int slot) {
    return JsonText.strictUtf8(JsonText.text(b, fields.from(slot), fields.to(slot)));
  }
}
