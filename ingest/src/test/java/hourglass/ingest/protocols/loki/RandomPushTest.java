package hourglass.ingest.protocols.loki;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.protocols.loki.Pushes.Entry;
import hourglass.ingest.protocols.loki.Pushes.Event;
import hourglass.ingest.protocols.loki.Pushes.Stream;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Random pushes in both encodings become the events of a plain model. */
class RandomPushTest {
  private static final int PUSHES = Tier.length(60, 300, 20_000);
  private static final int LINES = 40;
  private static final int BROKEN = Tier.length(300, 2_000, 200_000);

  /** Older than this is a time that a test chose. */
  private static final long NOW_NANOS =
      Instant.parse("2021-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000;

  private static final int[] ALPHABET =
      "ab {}[]:,=\"\\/'`\n\r\t\0\u001f\u007fé€𝄞".codePoints().toArray();
  private static final List<String> NAMES =
      List.of("app", "service_name", "level", "a.b", "a\"b", "é", "x y", "message", "job_");

  private static final LokiServer server = new LokiServer();

  private final Random random = Seed.random(this);

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    server.server.store.clear();
  }

  @Test
  void randomPushesAgreeWithAModel() {
    for (int i = 0; i < PUSHES; i++) {
      List<Stream> streams = streams();
      List<Event> wanted = Pushes.events(streams);
      server.server.store.clear();
      assertThat(server.push(LokiServer.JSON, Pushes.json(streams, random)).statusCode())
          .isEqualTo(204);
      assertThat(events()).containsExactlyInAnyOrderElementsOf(wanted);
      server.server.store.clear();
      assertThat(server.push(LokiServer.PROTOBUF, Pushes.protobuf(streams)).statusCode())
          .isEqualTo(204);
      assertThat(events()).containsExactlyInAnyOrderElementsOf(wanted);
    }
  }

  /** Any line is read back as it was sent, in either encoding. */
  @Test
  void everyLineIsReadBackUnchanged() {
    for (int i = 0; i < PUSHES; i++) {
      List<Entry> entries = new ArrayList<>();
      for (int j = 0; j < LINES; j++) {
        long nanos = 1_605_859_200_000_000_000L + 100 * j;
        entries.add(new Entry(nanos, awkwardLine(), random.nextInt(3) == 0 ? texts() : Map.of()));
      }
      List<Stream> streams = List.of(new Stream(texts(), entries));
      List<String> sent = entries.stream().map(Entry::line).toList();
      server.server.store.clear();
      server.push(LokiServer.JSON, Pushes.json(streams, random));
      assertThat(server.payloads().stream().map(RandomPushTest::lineOf)).isEqualTo(sent);
      server.server.store.clear();
      server.push(LokiServer.PROTOBUF, Pushes.protobuf(streams));
      assertThat(server.payloads().stream().map(RandomPushTest::lineOf)).isEqualTo(sent);
    }
  }

  /** Cuts our member out of an object, and moves the white space before it to the front. */
  private static String lineOf(String payload) {
    int ours = payload.indexOf("\"_loki\":{\"labels\":{");
    if (ours < 0 || !payload.substring(1, ours).isBlank()) {
      return new JsonObject(payload).getString("message");
    }
    int end = ours + "\"_loki\":".length();
    boolean isInString = false;
    int depth = 0;
    do {
      char c = payload.charAt(end++);
      isInString ^= c == '"';
      end += isInString && c == '\\' ? 1 : 0;
      depth += isInString ? 0 : c == '{' ? 1 : c == '}' ? -1 : 0;
    } while (depth > 0);
    end += payload.charAt(end) == ',' ? 1 : 0;
    return payload.substring(1, ours) + "{" + payload.substring(end);
  }

  private String awkwardLine() {
    String space = oneOf("", "", "", " ", "\t", "\r\n", "  \n");
    String object = awkwardObject(3);
    return switch (random.nextInt(8)) {
      case 0 -> text(40);
      case 1 -> space + object + oneOf("\0", ",", "}", "\f", "x");
      case 2 -> space + object.substring(0, random.nextInt(object.length()));
      default -> space + object + oneOf("", "", "", " ", "\n", "\r\n\t");
    };
  }

  private String awkwardObject(int levels) {
    StringBuilder object = new StringBuilder("{").append(oneOf("", "", " ", "\n  "));
    for (int i = random.nextInt(4); i > 0; i--) {
      object
          .append(
              oneOf(
                  "\"n\"",
                  "\"n\"",
                  "\"_loki\"",
                  "\"labels\"",
                  "\"\"",
                  "\"a.b\"",
                  "\"\\u005floki\""))
          .append(oneOf(":", " : "))
          .append(awkwardValue(levels))
          .append(i > 1 ? oneOf(",", " ,\n") : oneOf("", " "));
    }
    return object.append("}").toString();
  }

  private String awkwardValue(int levels) {
    return switch (random.nextInt(levels == 0 ? 3 : 5)) {
      case 0 -> Pushes.json(text(10), random);
      case 1 -> oneOf("0", "-0", "1e999", "12345678901234567890.50", "1E-7");
      case 2 -> oneOf("true", "null", "{}", "[]", "[ 1,\"}\" ]");
      case 3 -> "[" + awkwardValue(levels - 1) + "," + awkwardObject(levels - 1) + "]";
      default -> awkwardObject(levels - 1);
    };
  }

  private String oneOf(String... of) {
    return of[random.nextInt(of.length)];
  }

  /** Returns the stored events like those of the model, without the times of receipt. */
  private static List<Event> events() {
    return server.events().stream()
        .map(e -> e.nanos() < NOW_NANOS ? e : new Event(e.type(), -1, e.payload()))
        .toList();
  }

  private List<Stream> streams() {
    List<Stream> streams = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      boolean isAgain = !streams.isEmpty() && random.nextBoolean();
      Map<String, String> labels =
          isAgain ? streams.get(random.nextInt(streams.size())).labels() : texts();
      List<Entry> entries = new ArrayList<>();
      for (int j = random.nextInt(5); j > 0; j--) {
        entries.add(new Entry(nanos(), line(), random.nextInt(3) == 0 ? texts() : Map.of()));
      }
      streams.add(new Stream(labels, entries));
    }
    return streams;
  }

  private Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      texts.put(NAMES.get(random.nextInt(NAMES.size())), "v" + text(8));
    }
    return texts;
  }

  private long nanos() {
    return random.nextInt(10) == 0
        ? 0
        : 1_605_859_200_000_000_000L + 1_000_000L * random.nextInt(3) + random.nextInt(1_000);
  }

  private String line() {
    String text = text(40);
    return switch (random.nextInt(4)) {
      case 0 -> text;
      case 1 -> object(text).encode();
      case 2 -> " " + object(text).encodePrettily() + "\n";
      default -> object(text).encode().substring(random.nextInt(3));
    };
  }

  private JsonObject object(String text) {
    JsonObject object = new JsonObject().put("msg", text).put("n", random.nextInt());
    return random.nextBoolean() ? object : object.put(text, new JsonObject().put("in", text));
  }

  private String text(int charsMax) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(charsMax); i > 0; i--) {
      text.appendCodePoint(ALPHABET[random.nextInt(random.nextBoolean() ? 2 : ALPHABET.length)]);
    }
    return text.toString();
  }

  /** A mutated push is stored or refused, but never fails. */
  @Test
  void mutatedPushesAreStoredOrRefused() {
    for (int i = 0; i < BROKEN; i++) {
      List<Stream> streams = streams();
      boolean isJson = random.nextBoolean();
      byte[] body = isJson ? Pushes.json(streams, random) : Pushes.protobuf(streams);
      for (int j = random.nextInt(4); j >= 0; j--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      String type = isJson ? LokiServer.JSON : LokiServer.PROTOBUF;
      assertThat(server.push(type, body).statusCode()).isIn(204, 400, 413);
      server.events(); // are JSON
      server.server.store.clear();
    }
  }
}
