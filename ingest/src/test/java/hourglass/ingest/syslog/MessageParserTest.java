package hourglass.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.service.IngestOptions;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MessageParserTest {
  private final Random random = Seed.random(this);

  static Stream<RecordedStreams> recorded() {
    return RecordedStreams.all();
  }

  /** Every row of the table of senders is parsed, whole and in pieces. */
  @ParameterizedTest
  @MethodSource("recorded")
  void parsesTheMessagesOfAllSenders(RecordedStreams stream) {
    for (int i = 0; i < 20; i++) {
      List<byte[]> messages =
          stream.isDatagram()
              ? List.of(stream.bytes())
              : StoredMessages.framed(
                      MessageFramer.ofStream(StoredMessages.BYTES_MAX), pieces(stream.bytes()))
                  .stream()
                  .map(message -> message.getBytes(StandardCharsets.ISO_8859_1))
                  .toList();
      assertThat(parsed(messages)).isEqualTo(stream.events());
    }
  }

  private List<byte[]> pieces(byte[] bytes) {
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int next = Math.min(bytes.length, at + 1 + random.nextInt(80));
      pieces.add(java.util.Arrays.copyOfRange(bytes, at, next));
      at = next;
    }
    return pieces;
  }

  /** Type, time (- for that of receipt) and payload. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # Without a form, the text is the message whole.
          hello                      | syslog | - | {"message":"hello"}
          <13>                       | syslog | - | {"message":"","severity":"notice","facility":"user"}
          <13>hello                  | syslog | - | {"message":"hello","severity":"notice","facility":"user"}
          <192>hello                 | syslog | - | {"message":"<192>hello"}
          <191>hello                 | syslog | - | {"message":"hello","severity":"debug","facility":"local7"}
          <0>hello                   | syslog | - | {"message":"hello","severity":"emerg","facility":"kern"}
          <>hello                    | syslog | - | {"message":"<>hello"}
          <13hello                   | syslog | - | {"message":"<13hello"}
          <1300>hello                | syslog | - | {"message":"<1300>hello"}
          # RFC 5424
          <13>1 - - - - - -          | syslog | - | {"message":"","severity":"notice","facility":"user"}
          <13>1 - - - - -            | syslog | - | {"message":"","severity":"notice","facility":"user"}
          <13>1 - - - - - - -        | syslog | - | {"message":"-","severity":"notice","facility":"user"}
          <13>1 - h a p m - x y      | a | - | {"message":"x y","severity":"notice","facility":"user","hostname":"h","pid":"p","msgid":"m"}
          <13>1 2026-11-23T11:57:37Z h a - - - x | a | 2026-11-23T11:57:37Z | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          <13>1 2026-11-23T12:57:37.0000001+01:00 h a - - - x | a | 2026-11-23T11:57:37.000000100Z | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          <13>1 yesterday h a - - - x | syslog | - | {"message":"1 yesterday h a - - - x","severity":"notice","facility":"user"}
          <13>1 2026-02-30T11:57:37Z h a - - - x | syslog | - | {"message":"1 2026-02-30T11:57:37Z h a - - - x","severity":"notice","facility":"user"}
          <13>1 - h a - - [a][b c="d"] x | a | - | {"message":"x","severity":"notice","facility":"user","hostname":"h","structured":{"a":{},"b":{"c":"d"}}}
          <13>1 - h a - - [a b="1" c="2" b="3"] x | a | - | {"message":"x","severity":"notice","facility":"user","hostname":"h","structured":{"a":{"b":["1","3"],"c":"2"}}}
          <13>1 - h a - - [a b="\\"\\]\\\\ \\n"] x | a | - | {"message":"x","severity":"notice","facility":"user","hostname":"h","structured":{"a":{"b":"\\"]\\\\ \\\\n"}}}
          <13>1 - h a - - [a b="1"][a b="2"] x | a | - | {"message":"[a b=\\"1\\"][a b=\\"2\\"] x","severity":"notice","facility":"user","hostname":"h"}
          <13>1 - h a - - [a b="1" x | a | - | {"message":"[a b=\\"1\\" x","severity":"notice","facility":"user","hostname":"h"}
          <13>1 - h a - - [a b=1] x  | a | - | {"message":"[a b=1] x","severity":"notice","facility":"user","hostname":"h"}
          <13>1 - h a - - x          | a | - | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          # RFC 3164
          <13>Nov  3 01:02:03 h a: x | a | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov 03 01:02:03 h a: x | a | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov  3 01:02:03 h a[b]: x | a | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"h","pid":"b"}
          <13>Nov  3 01:02:03 h a[b] x | a | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"h","pid":"b"}
          <13>Nov  3 01:02:03 a[b]: x | a | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","pid":"b"}
          <13>Nov  3 01:02:03 a: x   | a | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user"}
          <13>Nov  3 01:02:03 fe80::1 a: x | a | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"fe80::1"}
          <13>Nov  3 01:02:03 h postfix/smtpd[7]: x | postfix/smtpd | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"h","pid":"7"}
          <13>Nov  3 01:02:03 h app see http://x | app | 2026-11-03T01:02:03Z | {"message":"see http://x","severity":"notice","facility":"user","hostname":"h"}
          <13>2026-11-03T01:02:03Z h my-app_1/x.y x | my-app_1/x.y | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov  3 01:02:03 h 12 x | syslog | 2026-11-03T01:02:03Z | {"message":"12 x","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov  3 01:02:03 h word | syslog | 2026-11-03T01:02:03Z | {"message":"word","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov  3 01:02:03 h user=a x | syslog | 2026-11-03T01:02:03Z | {"message":"user=a x","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov  3 01:02:03 h aaaaaaaaaabbbbbbbbbbccccccccccdd x | aaaaaaaaaabbbbbbbbbbccccccccccdd | 2026-11-03T01:02:03Z | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov  3 01:02:03 h aaaaaaaaaabbbbbbbbbbccccccccccddd x | syslog | 2026-11-03T01:02:03Z | {"message":"aaaaaaaaaabbbbbbbbbbccccccccccddd x","severity":"notice","facility":"user","hostname":"h"}
          <13>Nov  3 01:02:03 word   | syslog | 2026-11-03T01:02:03Z | {"message":"word","severity":"notice","facility":"user"}
          <13>Nov  3 01:02:03        | syslog | 2026-11-03T01:02:03Z | {"message":"","severity":"notice","facility":"user"}
          <13>Nov 31 01:02:03 h a: x | syslog | - | {"message":"Nov 31 01:02:03 h a: x","severity":"notice","facility":"user"}
          <13>Nov  3 25:02:03 h a: x | syslog | - | {"message":"Nov  3 25:02:03 h a: x","severity":"notice","facility":"user"}
          <13>Nov  3 01:02:03x h a: x | syslog | - | {"message":"Nov  3 01:02:03x h a: x","severity":"notice","facility":"user"}
          <13>2026-11-03T01:02:03.5+01:00 h a: x | a | 2026-11-03T00:02:03.500Z | {"message":"x","severity":"notice","facility":"user","hostname":"h"}
          <13>2026-11-03 01:02:03 h a: x | syslog | - | {"message":"2026-11-03 01:02:03 h a: x","severity":"notice","facility":"user"}
          <13>a: x                   | a | - | {"message":"x","severity":"notice","facility":"user"}
          <13>a:                     | a | - | {"message":"","severity":"notice","facility":"user"}
          <13>a[7]: x                | a | - | {"message":"x","severity":"notice","facility":"user","pid":"7"}
          <13>12: x                  | syslog | - | {"message":"12: x","severity":"notice","facility":"user"}
          <13>a b: x                 | syslog | - | {"message":"a b: x","severity":"notice","facility":"user"}
          <13>a[7: x                 | syslog | - | {"message":"a[7: x","severity":"notice","facility":"user"}
          """)
  void parsesVariants(String message, String type, String time, String data) {
    JsonObject event = parsed(List.of(message.getBytes(StandardCharsets.UTF_8))).get(0);
    assertThat(event.getString("type")).isEqualTo(type);
    assertThat(event.getValue("time")).isEqualTo(time.equals("-") ? null : time);
    assertThat(event.getJsonObject("data")).isEqualTo(new JsonObject(data));
  }

  /** A host has few programs, and its texts begin with many words. */
  @Test
  void tooManyBareWordsOfAHostAreNotTags() {
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i <= BareTags.WORDS_MAX; i++) {
      messages.add(
          ("<13>Nov  3 01:02:03 h word%d a".formatted(i)).getBytes(StandardCharsets.UTF_8));
    }
    messages.add("<13>Nov  3 01:02:03 h word0 a".getBytes(StandardCharsets.UTF_8));
    messages.add("<13>Nov  3 01:02:03 other word0 a".getBytes(StandardCharsets.UTF_8));
    List<String> types = parsed(messages).stream().map(e -> e.getString("type")).toList();
    assertThat(types.subList(0, BareTags.WORDS_MAX))
        .containsExactlyElementsOf(
            IntStream.range(0, BareTags.WORDS_MAX).mapToObj(i -> "word" + i).toList());
    assertThat(types.subList(BareTags.WORDS_MAX, types.size()))
        .containsExactly("syslog", "syslog", "word0");
  }

  /** Evicting a known host for it would turn words of that host into types again. */
  @Test
  void aHostBeyondTheBoundHasNoBareTags() {
    BareTags tags = new BareTags();
    for (int i = 0; i < BareTags.HOSTS_MAX; i++) {
      assertThat(tags.isTag("host" + i, "word")).isTrue();
    }
    assertThat(tags.isTag("one more", "word")).isFalse();
    assertThat(tags.isTag("host0", "other")).isTrue();
  }

  /** rsyslog's default template forwards the first 32 bytes of a tag. */
  @Test
  void aTagTruncatedWithinItsNumberIsAccepted() {
    String name = "a-service-with-a-long-name"; // 26 bytes
    byte[] message =
        ("<13>Nov  3 01:02:03 h " + name + "[12345 hello").getBytes(StandardCharsets.UTF_8);
    JsonObject event = parsed(List.of(message)).get(0);
    assertThat(event.getString("type")).isEqualTo(name);
    assertThat(event.getJsonObject("data").getString("message")).isEqualTo("hello");
    assertThat(event.getJsonObject("data").containsKey("pid")).isFalse();
  }

  /** A time without a year or a zone is of the year that brings it nearest to now. */
  @ParameterizedTest
  @CsvSource({
    "2026-12-31T23:59:00Z, UTC, Jan  1 00:00:01, 2027-01-01T00:00:01Z",
    "2027-01-01T00:01:00Z, UTC, Dec 31 23:59:59, 2026-12-31T23:59:59Z",
    "2027-01-01T00:01:00Z, Asia/Tokyo, Jan  1 09:00:01, 2027-01-01T00:00:01Z",
    "2026-12-31T23:00:00Z, Asia/Tokyo, Dec 31 23:59:59, 2026-12-31T14:59:59Z",
    "2027-01-01T03:00:00Z, America/New_York, Dec 31 21:59:00, 2027-01-01T02:59:00Z",
    "2028-03-01T10:00:00Z, UTC, Feb 29 12:00:00, 2028-02-29T12:00:00Z",
    "2028-02-28T10:00:00Z, UTC, Feb 28 09:59:59, 2028-02-28T09:59:59Z",
    "2029-03-01T10:00:00Z, UTC, Feb 29 12:00:00, 2028-02-29T12:00:00Z",
    "2026-07-01T10:00:00Z, Europe/Berlin, Jul  1 11:59:00, 2026-07-01T09:59:00Z",
    "2026-11-26T10:00:00Z, Europe/Berlin, Jul  1 11:59:00, 2026-07-01T09:59:00Z",
    "2026-11-26T10:00:00Z, Europe/Berlin, 2026-07-01T11:59:00, 2026-07-01T09:59:00Z",
    "2026-11-26T10:00:00Z, Europe/Berlin, 2026-07-01T11:59:00Z, 2026-07-01T11:59:00Z",
    "2026-11-26T10:00:00Z, UTC, Nov 26 10:00:60, 2026-11-26T10:00:59Z",
  })
  void infersTheYear(String now, String zone, String time, String want) {
    byte[] message = ("<13>" + time + " h a: x").getBytes(StandardCharsets.UTF_8);
    JsonObject event = StoredMessages.parsed(message, ZoneId.of(zone), Instant.parse(now));
    assertThat(event.getString("type")).isEqualTo("a");
    assertThat(event.getString("time")).isEqualTo(want);
  }

  /** Times in the future beyond the limit, or older than the retention, become times of receipt. */
  @Test
  void badTimesBecomeTheTimeOfReceipt() {
    JsonObject early = parsed("<13>1 2027-11-23T11:57:37Z h a - - - x");
    assertThat(early.getValue("time")).isNull();
    assertThat(early.getJsonObject("data").getString("message")).isEqualTo("x");
    assertThat(parsed("<13>1 1987-11-23T11:57:37Z h a - - - x").getValue("time")).isNull();
  }

  @Test
  void dropsOneFinalNewlineAndTheByteOrderMark() {
    assertThat(message("<13>a: x\n")).isEqualTo("x");
    assertThat(message("<13>a: x\n\n")).isEqualTo("x\n");
    assertThat(message("<13>a: x\0")).isEqualTo("x");
    assertThat(message("<13>a: x\r\n")).isEqualTo("x");
    assertThat(message("<13>\uFEFFa: x")).isEqualTo("x");
    assertThat(message("<13>a: \uFEFFx")).isEqualTo("x");
    assertThat(message("\uFEFF<13>a: x")).isEqualTo("x");
    assertThat(message("<13>1 - - - - - - \uFEFFx\uFEFF")).isEqualTo("x\uFEFF");
    assertThat(parsed(List.of(new byte[0], "\n".getBytes(StandardCharsets.UTF_8)))).isEmpty();
  }

  @Test
  void invalidUtf8IsReplaced() {
    byte[] latin1 = "<13>caf\u00e9: \u00fcber".getBytes(StandardCharsets.ISO_8859_1);
    JsonObject event = parsed(List.of(latin1)).get(0);
    assertThat(event.getString("type")).isEqualTo("syslog");
    assertThat(event.getJsonObject("data").getString("message")).isEqualTo("caf\uFFFD: \uFFFDber");
  }

  private static IngestOptions options(int eventBytes) {
    IngestOptions of = IngestOptions.DEFAULTS;
    return new IngestOptions(
        of.acceptLate(),
        of.acceptEarly(),
        eventBytes,
        of.maxBodyBytes(),
        of.maxInFlightBytes(),
        of.maxNesting(),
        of.errorsListedMax(),
        of.retention());
  }

  @Test
  void longMessagesAreTruncated() {
    int max = 2_000;
    String header = "<13>1 - host app 1 id ";
    for (String text :
        List.of(
            "x".repeat(5_000), "\"\\".repeat(5_000), "\1".repeat(5_000), "\u20ac".repeat(5_000))) {
      for (String structured : List.of("-", "[a b=\"c\"]")) {
        JsonObject data = cut(header + structured + " " + text, max);
        assertThat(data.getBoolean("truncated")).isTrue();
        assertThat(data.encode().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(max / 3, max);
        assertThat(text).startsWith(data.getString("message"));
        assertThat(data.containsKey("structured")).isEqualTo(!structured.equals("-"));
      }
      JsonObject data = cut(header + "[a b=\"" + "y".repeat(1_500) + "\"] " + text, max);
      assertThat(data.getString("message")).startsWith("[a b=\"yyy");
      assertThat(data.getString("hostname")).isEqualTo("host");
      assertThat(cut(header + "- " + "x".repeat(1_900), max).containsKey("truncated")).isFalse();
    }
  }

  private static JsonObject cut(String message, int max) {
    byte[] utf8 = message.getBytes(StandardCharsets.UTF_8);
    return StoredMessages.parsed(List.of(utf8), ZoneOffset.UTC, StoredMessages.NOW, options(max))
        .get(0)
        .getJsonObject("data");
  }

  /** The messages are generated from the events expected. */
  @Test
  void parsesRandomMessagesOfRfc5424() {
    List<byte[]> messages = new ArrayList<>();
    List<JsonObject> events = new ArrayList<>();
    for (int i = Tier.length(500, 2_000, 200_000); i > 0; i--) {
      JsonObject event = randomEvent();
      events.add(event);
      messages.add(written(event).getBytes(StandardCharsets.UTF_8));
      if (events.size() == 1_000 || i == 1) {
        assertThat(parsed(messages)).isEqualTo(events);
        messages.clear();
        events.clear();
      }
    }
  }

  private JsonObject randomEvent() {
    JsonObject data = new JsonObject().put("message", text(random.nextInt(60)));
    data.put("severity", SEVERITIES.get(random.nextInt(8)));
    data.put("facility", FACILITIES.get(random.nextInt(24)));
    for (String name : List.of("hostname", "pid", "msgid")) {
      if (random.nextBoolean()) {
        data.put(name, word());
      }
    }
    if (random.nextBoolean()) {
      JsonObject structured = new JsonObject();
      for (int i = random.nextInt(3); i >= 0; i--) {
        JsonObject element = new JsonObject();
        for (int k = random.nextInt(4); k > 0; k--) {
          element.put(
              word(), random.nextInt(5) > 0 ? text(9) : new JsonArray().add(text(3)).add(""));
        }
        structured.put(word(), element);
      }
      data.put("structured", structured);
    }
    Instant time =
        StoredMessages.NOW
            .minusMillis(random.nextInt(1_000_000_000))
            .truncatedTo(ChronoUnit.MILLIS);
    return new JsonObject()
        .put("type", random.nextInt(4) == 0 ? "syslog" : word())
        .put("time", time.toString())
        .put("data", data);
  }

  private static final List<String> SEVERITIES =
      List.of("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug");

  private static final List<String> FACILITIES =
      List.of(
          "kern",
          "user",
          "mail",
          "daemon",
          "auth",
          "syslog",
          "lpr",
          "news",
          "uucp",
          "cron",
          "authpriv",
          "ftp",
          "ntp",
          "audit",
          "alert",
          "clock",
          "local0",
          "local1",
          "local2",
          "local3",
          "local4",
          "local5",
          "local6",
          "local7");

  private static String written(JsonObject event) {
    JsonObject data = event.getJsonObject("data");
    int priority =
        8 * FACILITIES.indexOf(data.getString("facility"))
            + SEVERITIES.indexOf(data.getString("severity"));
    String type = event.getString("type");
    StringBuilder text = new StringBuilder("<" + priority + ">1 " + event.getString("time") + " ");
    text.append(data.getString("hostname", "-")).append(' ');
    text.append(type.equals("syslog") ? "-" : type).append(' ');
    text.append(data.getString("pid", "-")).append(' ');
    text.append(data.getString("msgid", "-")).append(' ');
    JsonObject structured = data.getJsonObject("structured");
    if (structured == null) {
      text.append('-');
    } else {
      for (String id : structured.fieldNames()) {
        text.append('[').append(id);
        JsonObject element = structured.getJsonObject(id);
        for (String name : element.fieldNames()) {
          Object value = element.getValue(name);
          List<?> values = value instanceof JsonArray list ? list.getList() : List.of(value);
          for (Object one : values) {
            String escaped = one.toString().replaceAll("([\"\\\\\\]])", "\\\\$1");
            text.append(' ').append(name).append("=\"").append(escaped).append('"');
          }
        }
        text.append(']');
      }
    }
    return text.append(' ').append(data.getString("message")).toString();
  }

  /** Returns a word of at least two letters, so it is not nil. */
  private String word() {
    StringBuilder word = new StringBuilder();
    for (int i = 2 + random.nextInt(6); i > 0; i--) {
      word.append("abcXYZ019@._:/-\u00e4\u20ac".charAt(random.nextInt(17)));
    }
    return word.append('x').toString();
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("ab \"\\[]=<>\t\n\1\u00e4\u20ac\u3042".charAt(random.nextInt(15)));
    }
    return text.append('x').toString();
  }

  private static String message(String message) {
    return parsed(message).getJsonObject("data").getString("message");
  }

  private static JsonObject parsed(String message) {
    return parsed(List.of(message.getBytes(StandardCharsets.UTF_8))).get(0);
  }

  private static List<JsonObject> parsed(List<byte[]> messages) {
    return StoredMessages.parsed(
        messages, ZoneOffset.UTC, StoredMessages.NOW, IngestOptions.DEFAULTS);
  }
}
