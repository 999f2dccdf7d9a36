package hourglass.ingest.decode;

import hourglass.access.TypePatterns;
import hourglass.bucketing.Identity;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.Utf8;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the items of one input, one at a time: type, time and column name. Each write of a large
 * input has its own decoder, which continues where the last one ended. Not thread-safe.
 */
public final class EventDecoder implements AutoCloseable {
  private final Limits limits;
  private final JsonScanner json;
  private final EventFields fields;
  private final EventTypes types;
  private final EventTimes times;
  private final Identity identity;
  private final ItemCursor items;
  private final ColumnNamer namer;
  private final DecodedItem item = new DecodedItem();

  /** The names of the current item's fields. In most inputs they are the same for all items. */
  private FieldNames fieldNames;

  /**
   * The limits of events. Immutable.
   *
   * @param acceptLate how far an event's time may be before now, or before the time of its record
   * @param acceptEarly how far it may be after now
   * @param maxNesting levels of objects and arrays, with the event as the first
   * @param retention how long the store keeps a type; an older event is rejected
   */
  public record Limits(
      Duration acceptLate,
      Duration acceptEarly,
      int maxEventBytes,
      int maxNesting,
      Function<String, Duration> retention) {}

  /**
   * The parts that a thread keeps from one input to the next, with the types and the keys of events
   * that it has seen. They contain no part of an input. One decoder uses them at a time.
   */
  public static final class Kept {
    private final Limits limits;
    private final JsonScanner json;
    private final EventFields fields;
    private final EventTypes types;
    private final EventTimes times;
    private final Identity identity = new Identity();

    public Kept(Limits limits) {
      this.limits = limits;
      this.json = new JsonScanner(limits.maxNesting());
      this.fields = new EventFields(json);
      this.types = new EventTypes(fields, limits.retention());
      this.times = new EventTimes(limits, fields, json);
    }
  }

  /**
   * Continues an input. By default, each item must have a type, and one without a time gets the
   * time of receipt.
   *
   * @param kept the parts of the calling thread
   * @param allowed the allowed types; others are rejected
   */
  public EventDecoder(
      Kept kept, ItemCursor items, ColumnNamer namer, TypePatterns allowed, long receivedTicks) {
    this.limits = kept.limits;
    this.json = kept.json;
    this.fields = kept.fields;
    this.types = kept.types;
    this.times = kept.times;
    this.identity = kept.identity;
    this.items = items;
    this.namer = namer;
    this.fieldNames = fields.names(items.mapping, items.isCloudEvent);
    types.begin(items.rules, allowed);
    times.begin(items.rules, receivedTicks);
    json.lines(items.isOfLines());
    item.isPacked = items.isPacked();
  }

  /** Releases the input. */
  @Override
  public void close() {
    fields.forget();
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
    item.time.isZoneless = false;
    ItemCursor.Refusal refusal = items.refusal();
    if (refusal != null) {
      items.passBroken(json);
      item.to = items.at;
      return rejected(refusal.reason(), refusal.problem());
    }
    if (fieldNames.areOfCloudEvents() != items.isCloudEvent) {
      fieldNames = fields.names(items.mapping, items.isCloudEvent);
    }
    item.name.recordId = items.id;
    boolean isBare = items.isBare() || items.isChecked() && items.mapping.readsNothing();
    int to = isBare ? skip() : scan(from);
    if (to < 0 || !items.pass(json, to)) {
      return notJson(from, explained);
    }
    item.to = items.isChecked() ? items.end() : to; // with white space behind it
    item.reason = judge(from, isBare);
    if (item.reason != null) {
      item.problem = explained ? problem(item.reason) : item.reason.text();
    }
    items.judged(item);
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
    if (items.isCloudEvent) {
      String against = CloudEvents.check(item.bytes, fields, fieldNames);
      if (against != null) {
        item.problem = "cloudevent: " + against;
        return Reason.CLOUDEVENT;
      }
    }
    Reason timed = times.read(item, items);
    if (timed != null) {
      return timed;
    }
    boolean named = namer.name(item, fields, identity, items.isCloudEvent);
    // A CloudEvent always has an id that identifies it, other events only by this rule.
    boolean isById = items.isCloudEvent || items.rules.identity() == IdentityRule.ID;
    item.name.keepsFirstTime = item.time.isUntimed && item.name.hasId && isById;
    if (item.name.keepsFirstTime) {
      item.name.more = identity.more();
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
      case TIME_UNREADABLE, TIME_YEARS, TIME_EARLY, TIME_LATE -> times.problem(reason, item, items);
      default -> reason.text();
    };
  }

  private String shown(int slot) {
    return Utf8.shown(item.bytes, fields.from(slot), fields.to(slot));
  }

  private String typeField() {
    return " (field \"" + fieldNames.text(FieldNames.TYPE) + "\")";
  }
}
