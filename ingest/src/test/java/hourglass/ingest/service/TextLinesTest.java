package hourglass.ingest.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.Client;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.store.Columns;
import hourglass.store.OverloadedException;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of text become events. */
class TextLinesTest extends IngestFixture {
  private static final String TIMED = "2026-11-20T08:00:00.5Z started";

  private ItemRules rules =
      new ItemRules(FieldMapping.DEFAULT, "logs", false, null, IdentityRule.NONE);
  private PushReport report = new PushReport(rules, false);

  private Verdicts text(String body) {
    return text(body.getBytes(UTF_8), null);
  }

  private Verdicts text(byte[] body, String key) {
    report = new PushReport(rules, false);
    return service
        .ingest(Body.copyOf(body), BodyFormat.TEXT, rules, key, Client.open("test"), report)
        .toCompletableFuture()
        .join();
  }

  private List<String> reasons() {
    return report.errors().stream().map(FoldedErrors.Entry::reason).toList();
  }

  /** Returns the stored events in the order of a query. */
  private List<String> stored() {
    record Event(TimeUuid id, String payload) {}
    List<Event> events = new ArrayList<>();
    for (Columns columns : store.rows().values()) {
      for (int i = 0; i < columns.size(); i++) {
        events.add(new Event(columns.id(i), new String(columns.payload(i), UTF_8)));
      }
    }
    return events.stream()
        .sorted((a, b) -> a.id.compareTo(b.id))
        .map(event -> Ticks.text(event.id.ticks()).substring(0, 21) + " " + event.payload)
        .toList();
  }

  @Test
  void eachLineBecomesAMessage() {
    assertThat(text("one\r\n\n  \n\ttwo \"2\" \\ \u00e9\u0001\nthree"))
        .isEqualTo(new Verdicts(3, 0, 3, List.of()));
    assertThat(stored())
        .containsExactly(
            "2026-11-20T10:00:00.0 {\"message\":\"one\"}",
            "2026-11-20T10:00:00.0 {\"message\":\"\\ttwo \\\"2\\\" \\\\ \u00e9\\u0001\"}",
            "2026-11-20T10:00:00.0 {\"message\":\"three\"}");
    assertThat(store.rows().keySet()).extracting("type").containsExactly("logs");
  }

  @Test
  void linesGetTheTypeOfTheRequest() {
    rules =
        new ItemRules(
            new FieldMapping("message", "a.b", "message", "nginx"),
            null,
            false,
            null,
            IdentityRule.ID);
    assertThat(text("one\ntwo").accepted()).isEqualTo(2);
    assertThat(store.rows().keySet()).extracting("type").containsExactly("nginx");
    rules = ItemRules.of(FieldMapping.DEFAULT);
    assertThat(text("one").accepted()).isZero();
    assertThat(reasons()).containsExactly("type: missing (field \"type\")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "key"})
  void aLineWithoutATimeGetsTheTimeOfThePreviousLine(String key) {
    String body =
        TIMED
            + "\njava.io.IOException: closed\n\tat shop.Cart.pay(Cart.java:12)\n\n\tat shop.Main\n"
            + "2026-11-20T08:00:00.5Z ended\nby itself\n2026-11-20T07:00:00Z before\n";
    assertThat(text(body.getBytes(UTF_8), key.isEmpty() ? null : key))
        .isEqualTo(new Verdicts(7, 0, 0, List.of()));
    assertThat(report.timeFields()).isEqualTo(Map.of("message", 3));
    assertThat(report.followed()).isEqualTo(4);
    assertThat(stored())
        .containsExactly(
            "2026-11-20T07:00:00.0 {\"message\":\"2026-11-20T07:00:00Z before\"}",
            "2026-11-20T08:00:00.5 {\"message\":\"2026-11-20T08:00:00.5Z started\"}",
            "2026-11-20T08:00:00.5 {\"message\":\"java.io.IOException: closed\"}",
            "2026-11-20T08:00:00.5 {\"message\":\"\\tat shop.Cart.pay(Cart.java:12)\"}",
            "2026-11-20T08:00:00.5 {\"message\":\"\\tat shop.Main\"}",
            "2026-11-20T08:00:00.5 {\"message\":\"2026-11-20T08:00:00.5Z ended\"}",
            "2026-11-20T08:00:00.5 {\"message\":\"by itself\"}");
  }

  @Test
  void jsonLinesBecomeSeparateEvents() {
    String body =
        "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\"}\nafter it\n {\"n\":1}\nafter none\n"
            + "{\"timestamp\":\"2026-11-20T09:00:00Z\"} \r\n";
    assertThat(text(body)).isEqualTo(new Verdicts(5, 0, 2, List.of()));
    assertThat(stored())
        .containsExactly(
            "2026-11-20T08:00:00.0 {\"type\":\"a\",\"time\":\"2026-11-20T08:00:00Z\"}",
            "2026-11-20T08:00:00.0 {\"message\":\"after it\"}",
            "2026-11-20T09:00:00.0 {\"timestamp\":\"2026-11-20T09:00:00Z\"}",
            "2026-11-20T10:00:00.0 {\"n\":1}",
            "2026-11-20T10:00:00.0 {\"message\":\"after none\"}");
    assertThat(report.timeFields()).isEqualTo(Map.of("timestamp", 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"type\":          ~ event: not JSON at byte 8 of it: ends too early, want a value",
        "  {nope}            ~ event: not JSON at byte 1 of it: want a key",
        "{\"n\":1} x         ~ event: not JSON at byte 8 of it: want the end of the line",
        "[{\"n\":1}]         ~ event: not a JSON object: [{\"n\":1}]",
        "[1,2                ~ event: not JSON at byte 4 of it: ends too early, want a comma or ]",
      })
  void linesThatBeginLikeJsonAreNeverText(String line, String reason) {
    assertThat(text("one\n" + line + "\ntwo").accepted()).isEqualTo(2);
    assertThat(reasons()).containsExactly(reason);
    assertThat(stored()).hasSize(2).noneMatch(event -> event.contains(line.strip()));
  }

  @Test
  void linesOfLogsMayBeginWithABracket() {
    assertThat(text("[2026-11-20T08:00:00Z] one\n[main] two\n[77] three").accepted()).isEqualTo(3);
    assertThat(stored()).allMatch(event -> event.startsWith("2026-11-20T08:00:00.0 "));
  }

  @Test
  void aTimeWithoutAZoneIsReadInTheZoneOfTheRequest() {
    String body = "2026-11-20 08:00:00,500 one\ntwo\n";
    assertThat(text(body).untimed()).isEqualTo(2);
    PushReport.Advice advice = report.advice();
    assertThat(advice.parameters()).isEqualTo(Map.of("time_zone", "UTC"));
    assertThat(advice.hint()).startsWith("1 line has a time without a zone");
    store.clear();
    rules = new ItemRules(rules.mapping(), "logs", false, ZoneOffset.UTC, IdentityRule.NONE);
    assertThat(text(body).untimed()).isZero();
    assertThat(report.advice()).isNull();
    assertThat(stored()).allMatch(event -> event.startsWith("2026-11-20T08:00:00.5 "));
  }

  @Test
  void timesInAContinuationLineAreIgnored() {
    text(TIMED + "\n  expected time=2001-01-01T00:00:00Z\n  at [20/Nov/2011:08:00:00 +0000]");
    assertThat(stored()).hasSize(3).allMatch(event -> event.startsWith(TIMED.substring(0, 16)));
  }

  @Test
  void aLineOfAnotherEncodingIsRejected() {
    assertThat(text("a\0b\0").rejected()).isEqualTo(1);
  }

  /** A wrong time is worse than none. */
  @Test
  void aLineWithAZonelessTimeFollowsNoOther() {
    assertThat(text(TIMED + "\n2026-11-20 09:00:00 two\nthree").untimed()).isEqualTo(2);
  }

  @Test
  void aTimeOutOfBoundsIsRefused() {
    assertThat(text("2027-11-20T08:00:00Z one\ntwo").accepted()).isZero();
    assertThat(reasons())
        .singleElement()
        .asString()
        .isEqualTo(
            "time: 2027-11-20T08:00:00.0000000Z is later than 2026-11-20T10:10:00.0000000Z;"
                + " want at most 10 min ahead of now");
    rules = new ItemRules(rules.mapping(), "logs", true, null, IdentityRule.NONE);
    assertThat(text("2027-11-20T08:00:00Z one\ntwo").untimed()).isEqualTo(2);
    assertThat(report.timeFields()).isEmpty();
  }

  @Test
  void onlyTheLineWithInvalidUtf8IsRejected() {
    byte[] body = "one\ncaf\u00e9\ntwo".getBytes(ISO_8859_1);
    assertThat(text(body, null).accepted()).isEqualTo(2);
    assertThat(reasons()).containsExactly("event: not UTF-8 at byte 3 of it");
  }

  @Test
  void onlyTheLongLineIsRejected() {
    int most = options.maxEventBytes();
    assertThat(text("x".repeat(most + 1) + "\n" + "x".repeat(most) + "\none").accepted())
        .isEqualTo(1);
    assertThat(reasons())
        .containsExactly(
            "event: 1048577 bytes, at most 1048576", "event: 1048590 bytes, at most 1048576");
  }

  /** Bodies are written in steps of some MiB, by whichever thread is free. */
  @Test
  void aLineFollowsOneOfAnEarlierStep() {
    String body = TIMED + "\n" + ("y".repeat(999) + "\n").repeat(20_000);
    assertThat(text(body)).isEqualTo(new Verdicts(20_001, 0, 0, List.of()));
    assertThat(store.writes()).isGreaterThan(1);
    assertThat(stored()).hasSize(20_001).allMatch(e -> e.startsWith("2026-11-20T08:00:00.5"));
    assertThat(stored().get(0)).contains("started");
    assertThat(service.inFlight().used()).isZero();
  }

  @Test
  void memoryIsReservedAndReleased() {
    InFlightBudget.Reservation other = service.inFlight().reservation("other");
    long free = options.maxInFlightBytes() - 100_000;
    assertThat(other.add(free - 30_000_000)).isTrue();
    assertThatThrownBy(() -> text("\u0001".repeat(1_000_000) + "\n" + "z\n".repeat(4_000_000)))
        .hasCauseInstanceOf(OverloadedException.class);
    assertThat(stored()).isEmpty();
    assertThat(service.inFlight().used()).isEqualTo(free - 30_000_000);
  }

  /** Pieces of lines in any order: each line has one verdict, and what is stored is as it was. */
  @Test
  void everyLineIsStoredOrRejected() {
    String[] pieces = {
      "{",
      "}",
      "[",
      "]",
      "\"",
      "\\",
      ":",
      ",",
      "{\"n\":1}",
      "{\"time\":1795161600}",
      " ",
      "\t",
      "\r",
      "\u00e9",
      "\u0000",
      "2026-11-20T08:00:00",
      "Z",
      "+01:00",
      ",5",
      "ts=",
      "time=\"",
      "1795161600",
      "[20/Nov/2026:08:30:00 +0000]",
      "null",
      "-1.5",
      "/",
      "=",
      "x",
      "UTC"
    };
    Random random = Seed.random(this);
    for (int round = 0; round < Tier.length(300, 2_000, 100_000); round++) {
      StringBuilder body = new StringBuilder();
      for (int i = random.nextInt(60); i >= 0; i--) {
        body.append(random.nextInt(8) == 0 ? "\n" : pieces[random.nextInt(pieces.length)]);
      }
      long lines =
          Stream.of(body.toString().split("\n"))
              .filter(line -> !line.replaceAll("[ \t\r]", "").isEmpty())
              .count();
      store.clear();
      Verdicts verdicts = text(body.toString());
      assertThat(verdicts.accepted() + verdicts.rejected()).as("%s", body).isEqualTo((int) lines);
      for (String payload : store.payloads()) {
        JsonObject event = new JsonObject(payload);
        String message = event.getString("message");
        String line = message == null ? payload : message;
        assertThat(body.toString()).contains(line);
        assertThat(message == null || !line.strip().startsWith("{")).as(line).isTrue();
      }
    }
    assertThat(service.inFlight().used()).isZero();
  }

  @Test
  void aBodyOfBlankLinesIsRefused() {
    assertThat(text(" \n\r\n\t").accepted()).isZero();
    assertThat(reasons()).containsExactly("body: no event");
  }

  /** Each quote of a line is longer in its event, so that an event may be longer than its body. */
  @Test
  void linesThatGrowAsEventsKeepNamesOfTheirOwn() {
    for (int quotes : new int[] {1, 60, 64, 600}) {
      String line = "2026-11-20T08:00:00Z " + "\"".repeat(quotes) + " ";
      text(line + "first");
      text(line + "second");
      text(line + "third\n" + line + "fourth");
      assertThat(stored()).hasSize(4);
      store.clear();
    }
  }
}
