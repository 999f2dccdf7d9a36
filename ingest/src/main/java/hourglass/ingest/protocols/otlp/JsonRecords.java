package hourglass.ingest.protocols.otlp;

import hourglass.bytes.JsonReader;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads records in the JSON of OTLP. Names are in camel case or as in the schema, an id consists of
 * hexadecimal digits, and other members are ignored. A text is copied as it is, with its escapes.
 */
final class JsonRecords extends Records {
  private static final JsonFieldName RESOURCE = JsonFieldName.of("resource");
  private static final JsonFieldName SCOPE = JsonFieldName.of("scope");

  private final byte[] b;
  private final JsonReader json;
  private final JsonMessages messages;
  private final JsonValues values;

  JsonRecords(Signal signal, Body body, ConvertedEvents events) {
    super(signal, events);
    this.b = body.bytes();
    this.json = new JsonReader(b, body.length());
    this.messages = new JsonMessages(b, json);
    this.values = new JsonValues(b, json, events);
  }

  @Override
  void addEvents() {
    int end =
        json.members(
            json.start(),
            value ->
                signal.resources.isRead(json)
                    ? json.each(value, this::resource)
                    : json.skip(value));
    json.end(end);
  }

  private int resource(int start) {
    noResource();
    return group(start, RESOURCE, ofResource, this::takeResource, signal.scopes, this::scope);
  }

  private int scope(int start) {
    noScope();
    return group(start, SCOPE, ofScope, this::takeScope, signal.records, this::record);
  }

  /**
   * Reads the values that the parts of a group share, and the parts. Parts that stand before those
   * values wait for them.
   */
  private int group(
      int start,
      JsonFieldName name,
      MessageFields common,
      Runnable take,
      JsonFieldName parts,
      IntUnaryOperator part) {
    boolean isKnown = false;
    int waiting = -1;
    int at = json.open(start, '{');
    while (!json.closes(at, '}')) {
      int value = json.name(at);
      int end;
      if (name.isRead(json)) {
        end = messages.findUtf8(common, value);
        take.run();
        isKnown = true;
      } else if (!parts.isRead(json)) {
        end = json.skip(value);
      } else if (isKnown) {
        end = json.each(value, part);
      } else {
        waiting = value;
        end = json.skip(value);
      }
      at = json.next(end, '}');
    }
    if (waiting >= 0) {
      json.each(waiting, part);
    }
    return at + 1;
  }

  private int record(int start) {
    int end = messages.findUtf8(ofRecord, start);
    takeRecord();
    return end;
  }

  @Override
  void text(int from, int to) {
    out.raw(b, from - 1, to + 1);
  }

  @Override
  void id(int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] >= 'A' && b[i] <= 'F') {
        out.string(idText(from, to));
        return;
      }
    }
    text(from, to);
  }

  @Override
  String idText(int from, int to) {
    return json.text(from, to).toLowerCase(Locale.ROOT);
  }

  @Override
  void value(int from, int to, int level) {
    values.value(from, level);
  }

  @Override
  @Nullable String attributes(MessageFields found, int slot, int level, byte @Nullable [] watch) {
    return values.attributes(found.from[slot], level, watch);
  }

  @Override
  void messages(MessageFields found, int slot, int level) {
    MessageFields each = found.child(slot);
    RecordRefused.ifDeeper(level, levelsMax);
    out.beginArray();
    json.each(
        found.from[slot],
        at -> {
          int end = messages.find(each, at);
          message(each, level + 1);
          return end;
        });
    out.endArray();
  }
}
