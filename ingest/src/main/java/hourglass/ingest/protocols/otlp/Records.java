package hourglass.ingest.protocols.otlp;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonText;
import hourglass.bytes.JsonWriter;
import hourglass.ingest.decode.ConvertedEvents;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of the records in one request. A subclass reads an encoding; this class writes the
 * payload. Resource and scope are written once, and copied into each payload. Not thread-safe.
 */
abstract class Records {
  private static final byte[] SERVICE_NAME = "service.name".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECORD_UID = "log.record.uid".getBytes(StandardCharsets.US_ASCII);

  private static final JsonWriter.Key SCOPE = JsonWriter.Key.of("scope");
  private static final JsonWriter.Key RESOURCE = JsonWriter.Key.of("resource");

  private static final String[] SEVERITIES = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};
  private static final String[] SPAN_KINDS = {
    "UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"
  };
  private static final String[] STATUS_CODES = {"UNSET", "OK", "ERROR"};

  private static final long NANOS_PER_TICK = 100;

  final Signal signal;
  final JsonWriter out;
  final int levelsMax;
  final MessageFields ofResource = new MessageFields(MessageSchema.RESOURCE);
  final MessageFields ofScope = new MessageFields(MessageSchema.SCOPE);
  final MessageFields ofRecord;

  private final ConvertedEvents events;
  private final Part resource;
  private final Part scope;
  private @Nullable String type;

  /** The attribute {@link #RECORD_UID} of the current record, if it is a text. */
  private @Nullable String uid;

  /** The resource or the scope of the next records, which is copied into each payload. */
  private static final class Part {
    private final JsonText text;
    private @Nullable RecordRefused refused;

    Part(ConvertedEvents events) {
      text = new JsonText(events.memory());
    }

    void clear() {
      text.clear();
      refused = null;
    }
  }

  Records(Signal signal, ConvertedEvents events) {
    this.signal = signal;
    this.events = events;
    this.out = events.payload();
    this.levelsMax = events.limits().levelsMax();
    this.resource = new Part(events);
    this.scope = new Part(events);
    this.ofRecord =
        new MessageFields(signal == Signal.TRACES ? MessageSchema.SPAN : MessageSchema.LOG);
  }

  /** Adds an event, or a refusal, for each record of the request. */
  abstract void addEvents();

  final void noResource() {
    resource.clear();
    type = null;
    noScope();
  }

  final void noScope() {
    scope.clear();
  }

  /** Uses the resource that was found last. */
  final void takeResource() {
    noResource();
    try {
      check(ofResource);
      if (!ofResource.isEmpty()) {
        String service = attributes(ofResource, 0, 2, SERVICE_NAME);
        events.moveTo(resource.text);
        type = service != null && EventType.isValid(service) ? service : null;
      }
    } catch (RecordRefused e) {
      events.discard();
      resource.refused = e;
    }
  }

  /** Uses the scope that was found last. */
  final void takeScope() {
    noScope();
    try {
      check(ofScope);
      if (!ofScope.isEmpty()) {
        out.beginObject();
        members(ofScope, 2, null);
        out.endObject();
        events.moveTo(scope.text);
      }
    } catch (RecordRefused e) {
      events.discard();
      scope.refused = e;
    }
  }

  /** Adds the record that was found last. */
  final void takeRecord() {
    try {
      check(resource.refused);
      check(scope.refused);
      check(ofRecord);
      if (signal == Signal.TRACES) {
        takeSpan();
      } else {
        takeLog();
      }
    } catch (RecordRefused e) {
      events.refuse(e.reason(), e.problem());
    }
  }

  private static void check(MessageFields found) {
    if (found.problem != null) {
      throw RecordRefused.against(found.problem);
    }
  }

  private static void check(@Nullable RecordRefused refused) {
    if (refused != null) {
      throw refused;
    }
  }

  private void takeLog() {
    uid = null;
    payload(RECORD_UID);
    long time = ofRecord.number(MessageSchema.LOG_TIME);
    long nanos = time == 0 ? ofRecord.number(MessageSchema.LOG_OBSERVED) : time;
    String id = uid == null || uid.isEmpty() ? null : uid;
    events.add(type, ConvertedEvents.ticksOfNanos(nanos), id);
  }

  private void takeSpan() {
    long start = ofRecord.number(MessageSchema.SPAN_START);
    long end = ofRecord.number(MessageSchema.SPAN_END);
    ofRecord.number(MessageSchema.SPAN_DURATION, start == 0 || end == 0 ? 0 : end - start);
    payload(null);
    boolean hasId = ofRecord.has(MessageSchema.SPAN_TRACE) && ofRecord.has(MessageSchema.SPAN_ID);
    String id =
        hasId
            ? idText(ofRecord.from[MessageSchema.SPAN_TRACE], ofRecord.to[MessageSchema.SPAN_TRACE])
                + '-'
                + idText(ofRecord.from[MessageSchema.SPAN_ID], ofRecord.to[MessageSchema.SPAN_ID])
            : null;
    events.add(type, ConvertedEvents.ticksOfNanos(start), id);
  }

  private void payload(byte @Nullable [] watch) {
    out.beginObject();
    members(ofRecord, 1, watch);
    if (!scope.text.isEmpty()) {
      out.key(SCOPE).raw(scope.text);
    }
    if (!resource.text.isEmpty()) {
      out.key(RESOURCE).raw(resource.text);
    }
    out.endObject();
  }

  /**
   * Writes the members of a message.
   *
   * @param level the level of the object that contains them; a payload is 1
   * @param watch the key of the attribute whose text is kept in {@link #uid}; null for none
   */
  private void members(MessageFields found, int level, byte @Nullable [] watch) {
    for (int slot = 0; slot < found.schema.fields.size(); slot++) {
      MessageSchema.Field field = found.schema.fields.get(slot);
      if (field.kind == MessageSchema.Kind.SEVERITY) {
        severity(found, slot, field);
      } else if (field.out != null && found.has(slot)) {
        out.key(field.out);
        member(found, slot, field, level, watch);
      }
    }
  }

  private void member(
      MessageFields found,
      int slot,
      MessageSchema.Field field,
      int level,
      byte @Nullable [] watch) {
    int from = found.from[slot];
    int to = found.to[slot];
    switch (field.kind) {
      case TEXT, SEVERITY -> text(from, to);
      case ID -> id(from, to);
      case NUMBER -> out.number(found.numbers[slot]);
      case TIME -> time(found.numbers[slot]);
      case SPAN_KIND -> named(SPAN_KINDS, found.numbers[slot]);
      case STATUS_CODE -> named(STATUS_CODES, found.numbers[slot]);
      case VALUE -> value(from, to, level);
      case ATTRIBUTES -> {
        String text = attributes(found, slot, level + 1, watch);
        uid = watch == null ? uid : text;
      }
      case MESSAGE -> message(found.child(slot), level + 1);
      case MESSAGES -> messages(found, slot, level + 1);
    }
  }

  private void severity(MessageFields found, int slot, MessageSchema.Field field) {
    long number = found.number(MessageSchema.SEVERITY_NUMBER);
    if (found.has(slot) && field.out != null) {
      out.key(field.out);
      text(found.from[slot], found.to[slot]);
    } else if (number >= 1 && number <= 24 && field.out != null) {
      int step = (int) (number - 1) % 4;
      String name = SEVERITIES[(int) (number - 1) / 4];
      out.key(field.out).string(step == 0 ? name : name + (step + 1));
    }
  }

  private void named(String[] names, long number) {
    if (number > 0 && number < names.length) {
      out.string(names[(int) number]);
    } else {
      out.number(number);
    }
  }

  /** Writes a time in RFC 3339 with nine digits. */
  private void time(long nanos) {
    String ticks = Ticks.text(Ticks.UNIX_EPOCH + Long.divideUnsigned(nanos, NANOS_PER_TICK));
    long rest = Long.remainderUnsigned(nanos, NANOS_PER_TICK);
    String digits = (rest < 10 ? "0" : "") + rest;
    out.string(ticks.substring(0, ticks.length() - 1) + digits + 'Z');
  }

  /** Writes one message as an object. */
  final void message(MessageFields found, int level) {
    check(found);
    RecordRefused.ifDeeper(level, levelsMax);
    out.beginObject();
    members(found, level, null);
    out.endObject();
  }

  /** Writes a text. */
  abstract void text(int from, int to);

  /** Writes an id as hexadecimal digits in lower case. */
  abstract void id(int from, int to);

  abstract String idText(int from, int to);

  /** Writes an AnyValue. {@code level} is the level of the object or array around it. */
  abstract void value(int from, int to, int level);

  /**
   * Writes attributes as an object.
   *
   * @param watch a key; null for none
   * @return the text of the last attribute with that key; null if there is none, or it is no text
   */
  abstract @Nullable String attributes(
      MessageFields found, int slot, int level, byte @Nullable [] watch);

  /** Writes messages as an array. */
  abstract void messages(MessageFields found, int slot, int level);
}
