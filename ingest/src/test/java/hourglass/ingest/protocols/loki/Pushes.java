package hourglass.ingest.protocols.loki;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.xerial.snappy.Snappy;

/** Streams, their two encodings, and the events that they should become: plainly, not fast. */
final class Pushes {
  record Entry(long nanos, String line, Map<String, String> metadata) {}

  record Stream(Map<String, String> labels, List<Entry> entries) {}

  /** A time below 0 is that of receipt. */
  record Event(String type, long nanos, JsonObject payload) {}

  private Pushes() {}

  static List<Event> events(List<Stream> streams) {
    List<Event> events = new ArrayList<>();
    for (Stream stream : streams) {
      for (Entry entry : stream.entries()) {
        JsonObject ours = new JsonObject();
        ours.put("labels", new JsonObject(Map.copyOf(stream.labels())));
        if (!entry.metadata().isEmpty()) {
          ours.put("metadata", new JsonObject(Map.copyOf(entry.metadata())));
        }
        JsonObject payload =
            isObject(entry.line())
                ? new JsonObject(entry.line()).put("_loki", ours)
                : ours.put("message", entry.line());
        String type = stream.labels().getOrDefault("app", "unknown_service");
        long nanos = entry.nanos() == 0 ? -1 : entry.nanos() / 100 * 100;
        events.add(new Event(stream.labels().getOrDefault("service_name", type), nanos, payload));
      }
    }
    return events;
  }

  /** Whether it has room for a member of ours. */
  private static boolean isObject(String line) {
    try {
      return line.strip().startsWith("{") && !new JsonObject(line).containsKey("_loki");
    } catch (DecodeException e) {
      return false;
    }
  }

  /** Returns the JSON that most clients write. */
  static byte[] json(List<Stream> streams) {
    JsonArray all = new JsonArray();
    for (Stream stream : streams) {
      JsonArray values = new JsonArray();
      for (Entry entry : stream.entries()) {
        JsonArray value = new JsonArray().add(Long.toString(entry.nanos())).add(entry.line());
        values.add(
            entry.metadata().isEmpty()
                ? value
                : value.add(new JsonObject(Map.copyOf(entry.metadata()))));
      }
      JsonObject labels = new JsonObject(Map.copyOf(stream.labels()));
      all.add(new JsonObject().put("stream", labels).put("values", values));
    }
    return utf8(new JsonObject().put("streams", all).encode());
  }

  /** Returns JSON with random escapes, and members in any order. */
  static byte[] json(List<Stream> streams, Random random) {
    String all =
        streams.stream()
            .map(
                stream -> {
                  String labels = "\"stream\" : " + json(stream.labels(), random);
                  String values =
                      "\"values\":"
                          + stream.entries().stream()
                              .map(entry -> json(entry, random))
                              .collect(Collectors.joining(" , ", "[", "]"));
                  return random.nextBoolean()
                      ? "{" + labels + "," + values + "}"
                      : "{" + values + ",\"more\":[{}]," + labels + "}";
                })
            .collect(Collectors.joining(",", "[ ", "]"));
    return ("{\"streams\":" + all + "}\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String json(Entry entry, Random random) {
    String metadata =
        entry.metadata().isEmpty() && random.nextBoolean()
            ? ""
            : "," + json(entry.metadata(), random);
    return "[\"" + entry.nanos() + "\"," + json(entry.line(), random) + metadata + "]";
  }

  private static String json(Map<String, String> texts, Random random) {
    return texts.entrySet().stream()
        .map(text -> json(text.getKey(), random) + ":" + json(text.getValue(), random))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String json(String text, Random random) {
    StringBuilder json = new StringBuilder("\"");
    for (int c : text.codePoints().toArray()) {
      if (c < ' ' || random.nextInt(20) == 0) {
        Character.toString(c).chars().forEach(half -> json.append(String.format("\\u%04x", half)));
      } else if (c == '"' || c == '\\') {
        json.append('\\').appendCodePoint(c);
      } else {
        json.appendCodePoint(c);
      }
    }
    return json.append('"').toString();
  }

  static byte[] protobuf(List<Stream> streams) {
    try {
      return Snappy.compress(request(streams));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] request(List<Stream> streams) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    for (Stream stream : streams) {
      ByteArrayOutputStream one = new ByteArrayOutputStream();
      bytes(one, 1, utf8(labels(stream.labels())));
      for (Entry entry : stream.entries()) {
        bytes(one, 2, entry(entry));
      }
      varint(one, 3 << 3);
      varint(one, -7); // its hash
      bytes(request, 1, one.toByteArray());
    }
    return request.toByteArray();
  }

  private static byte[] entry(Entry entry) {
    ByteArrayOutputStream time = new ByteArrayOutputStream();
    varint(time, 1 << 3);
    varint(time, entry.nanos() / 1_000_000_000);
    varint(time, 2 << 3);
    varint(time, entry.nanos() % 1_000_000_000);
    ByteArrayOutputStream one = new ByteArrayOutputStream();
    bytes(one, 1, time.toByteArray());
    bytes(one, 2, utf8(entry.line()));
    entry
        .metadata()
        .forEach(
            (name, value) -> {
              ByteArrayOutputStream pair = new ByteArrayOutputStream();
              bytes(pair, 1, utf8(name));
              bytes(pair, 2, utf8(value));
              bytes(one, 3, pair.toByteArray());
            });
    return one.toByteArray();
  }

  /** Returns labels quoted as Go does. */
  private static String labels(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> name(label.getKey()) + "=" + quoted(label.getValue()))
        .collect(Collectors.joining(labels.size() % 2 == 0 ? "," : ", ", "{", "}"));
  }

  private static String name(String name) {
    return name.matches("[a-zA-Z_.]+") ? name : quoted(name);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c == '\n') {
                quoted.append("\\n");
              } else if (c < ' ') {
                quoted.append(String.format("\\x%02x", c));
              } else if (c > 0xffff) {
                quoted.append(String.format("\\U%08x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
    varint(out, field << 3 | 2);
    varint(out, value.length);
    out.writeBytes(value);
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7f) != 0) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
