package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.Client;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.LimitedMemory;
import hourglass.ingest.decode.LineObject;
import hourglass.ingest.decode.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the type, time and id of events, from their protocol and from their payload. */
class ConvertedEventsTest extends IngestFixture {
  private static final long AT_EIGHT = Ticks.of(Instant.parse("2026-11-20T08:00:00Z"));
  private static final byte[] BODY = "the body as it was sent".getBytes(StandardCharsets.UTF_8);
  private static final ItemRules BY_PROTOCOL = rules(FieldMapping.NONE, IdentityRule.NONE);
  private static final ConversionLimits LIMITS = new ConversionLimits(1 << 20, 1 << 20, 100, 4);
  private static final JsonWriter.Key N = JsonWriter.Key.of("n");

  private ConvertedEvents events = events();

  private static ItemRules rules(FieldMapping mapping, IdentityRule identity) {
    return new ItemRules(mapping, "unknown", true, null, identity);
  }

  private ConvertedEvents events() {
    return new ConvertedEvents(service.inFlight().reservation("test"), 0, LIMITS);
  }

  /** A repeat of the event would be another event, with another time of receipt. */
  @ParameterizedTest
  @CsvSource({"CONTENT,,0", "BODY,,0", "NONE,cursor,0", "NONE,,1"})
  void anOldEventIsRefusedIfItMayBeRepeated(IdentityRule rule, String id, int untimed) {
    IngestOptions d = IngestOptions.DEFAULTS;
    options =
        new IngestOptions(
            Duration.ofDays(1),
            d.acceptEarly(),
            d.maxEventBytes(),
            d.maxBodyBytes(),
            d.maxInFlightBytes(),
            d.maxNesting(),
            d.errorsListedMax(),
            d.retention());
    service = service();
    events = events();
    add(1, "web", AT_EIGHT - 24 * Ticks.PER_HOUR, id);
    add(2, "web", AT_EIGHT, null);
    Verdicts verdicts = push(rules(FieldMapping.NONE, rule));
    assertThat(verdicts.untimed()).isEqualTo(untimed);
    assertThat(verdicts.accepted()).isEqualTo(1 + untimed);
    assertThat(verdicts.errors()).hasSize(1 - untimed);
  }

  @Test
  void anEventRefusedForMemoryCanBeAddedAgain() {
    LimitedMemory memory = new LimitedMemory(280);
    events = new ConvertedEvents(memory, 0, LIMITS);
    int almostFull = 256 - Body.PADDING / 2;
    events.payload().raw(new byte[almostFull], 0, almostFull);
    assertThatThrownBy(() -> events.add("web", AT_EIGHT, null)).hasMessage("too much");
    assertThat(events.size()).isZero();
    events.discard();
    add(1, "web", AT_EIGHT, null);
    assertThat(push(BY_PROTOCOL).accepted()).isOne();
    assertThat(store.payloads()).containsExactly("{\"n\":1}");
  }

  @Test
  void rejectedEventsAreListedInReservedMemory() {
    LimitedMemory memory = new LimitedMemory(Long.MAX_VALUE);
    events = new ConvertedEvents(memory, 0, LIMITS);
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      events.addDocument(new byte[] {'"', '"'}, 0, 2, "doc", AT_EIGHT, null);
    }
    long converted = memory.held();
    Verdicts verdicts = push(BY_PROTOCOL);
    assertThat(verdicts.errors()).hasSize(count);
    assertThat(verdicts.errors().get(0).reason()).isEqualTo("event: not a JSON object: \"\"");
    assertThat(verdicts.errors().get(count - 1).reason()).isSameAs(Reason.NOT_OBJECT.text());
    assertThat(memory.held() - converted).isBetween(64L * count, 80L * count);
  }

  @Test
  void aPathIsFoundInTheEnvelopeFirst() {
    FieldMapping mapping = new FieldMapping("labels.app", null, null, null);
    for (String rest :
        List.of("{\"labels\":{\"app\":\"own\"}}", "{\"labels\":7}", "{\"app\":\"own\"}")) {
      LineObject line = new LineObject(9, "ours");
      byte[] b = Arrays.copyOf(rest.getBytes(StandardCharsets.UTF_8), rest.length() + 8);
      assertThat(line.read(b, 0, rest.length())).isTrue();
      line.begin(events.payload());
      events.payload().key("ours");
      events.envelope();
      events.payload().beginObject().key("labels");
      events.payload().beginObject().key("app").string("shop").endObject().endObject();
      line.end(events.payload());
      events.add("some", AT_EIGHT, null);
    }
    add(1, "some", AT_EIGHT, null);
    events.addDocument(
        "{\"labels\":{\"app\":\"own\"}}".getBytes(StandardCharsets.UTF_8),
        0,
        24,
        "some",
        AT_EIGHT,
        null);
    assertThat(push(rules(mapping, IdentityRule.NONE)).accepted()).isEqualTo(5);
    assertThat(store.rows().keySet().stream().map(RowKey::type))
        .containsExactlyInAnyOrder("own", "shop", "some");
  }

  private void add(int n, String type, long ticks, String id) {
    events.payload().beginObject().key(N).number(n).endObject();
    events.add(type, ticks, id);
  }

  private void document(String json) {
    byte[] b = json.getBytes(StandardCharsets.UTF_8);
    events.addDocument(b, 0, b.length, "doc", AT_EIGHT, null);
  }

  private Verdicts push(ItemRules rules) {
    Verdicts verdicts =
        service
            .ingest(events, Body.copyOf(BODY), rules, "key", Client.open("test"))
            .toCompletableFuture()
            .join();
    events = events();
    return verdicts;
  }

  private List<String> rows() {
    return store.rows().keySet().stream().map(Object::toString).toList();
  }

  @Test
  void eventsUseTheTypeAndTimeOfTheProtocol() {
    add(1, "web", AT_EIGHT, null);
    add(2, "db", AT_EIGHT, null);
    assertThat(push(BY_PROTOCOL)).isEqualTo(new Verdicts(2, 0, 0, List.of()));
    assertThat(rows()).containsExactlyInAnyOrder("20112608|db|0", "20112608|web|0");
    assertThat(store.payloads()).containsExactlyInAnyOrder("{\"n\":1}", "{\"n\":2}");
  }

  @Test
  void eventsWithoutTypeOrTimeAreAccepted() {
    add(1, null, Rfc3339.NOT_A_TIME, null);
    add(2, "web", Long.MAX_VALUE, null);
    add(3, "web", 0, null);
    assertThat(push(BY_PROTOCOL)).isEqualTo(new Verdicts(3, 0, 3, List.of()));
    assertThat(rows()).containsExactlyInAnyOrder("20112610|unknown|0", "20112610|web|0");
  }

  @Test
  void onlyTheEventWithAnInvalidTypeIsRefused() {
    add(1, "", AT_EIGHT, null);
    add(2, "web", AT_EIGHT, null);
    Verdicts verdicts = push(BY_PROTOCOL);
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors()).extracting(Verdicts.ItemError::index).containsExactly(0);
  }

  @Test
  void refusedRecordsKeepTheirIndex() {
    add(1, "web", AT_EIGHT, null);
    events.payload().beginObject().key(N).string("a half");
    events.refuse(Reason.NESTING, "record: nested too deep");
    add(3, "web", AT_EIGHT, null);
    Verdicts verdicts = push(BY_PROTOCOL);
    assertThat(verdicts.accepted()).isEqualTo(2);
    assertThat(verdicts.errors())
        .containsExactly(new Verdicts.ItemError(1, "record: nested too deep"));
    assertThat(store.payloads()).containsExactly("{\"n\":1}", "{\"n\":3}");
  }

  @Test
  void documentsAreCheckedAndStoredUnchanged() {
    document(" { \"n\" : 1 } ");
    document("{\"n\":");
    document("[1]");
    document("{\"n\":2}");
    Verdicts verdicts = push(BY_PROTOCOL);
    assertThat(verdicts.errors()).extracting(Verdicts.ItemError::index).containsExactly(1, 2);
    assertThat(store.payloads()).containsExactly("{ \"n\" : 1 }", "{\"n\":2}");
  }

  @Test
  void mappedFieldsOverrideTheProtocol() {
    FieldMapping mapping = new FieldMapping("kind", "at", "key", null);
    for (int i = 0; i < 2; i++) {
      events.payload().beginObject().key("kind").string("shop").key("key").number(7);
      events.payload().key("at").string("2026-11-20T09:00:00Z").endObject();
      events.add("web", AT_EIGHT, i + "");
    }
    assertThat(push(rules(mapping, IdentityRule.NONE)).accepted()).isEqualTo(2);
    assertThat(rows()).containsExactly("20112609|shop|0");
    assertThat(ids()).hasSize(1);
  }

  @Test
  void theFirstPresentTimeFieldIsUsed() {
    FieldMapping mapping =
        new FieldMapping(null, "@timestamp", null, List.of("time", "timestamp", "ts"), null);
    ItemRules rules = rules(mapping, IdentityRule.NONE);
    document("{\"ts\":\"2026-11-20T07:00:00Z\",\"time\":null}");
    document("{\"ts\":\"2026-11-20T06:00:00Z\",\"time\":\"2026-11-20T05:00:00Z\"}");
    document("{\"time\":1,\"@timestamp\":\"2026-11-20T04:00:00Z\"}");
    document("{\"n\":1}");
    assertThat(push(rules).accepted()).isEqualTo(4);
    assertThat(rows())
        .containsExactlyInAnyOrder(
            "20112607|doc|0", "20112605|doc|0", "20112604|doc|0", "20112608|doc|0");
  }

  @Test
  void eventsWithTheSameIdAreStoredOnce() {
    for (int i = 0; i < 3; i++) {
      add(1, "web", AT_EIGHT, "a");
      add(1, "web", AT_EIGHT, "b");
      assertThat(push(BY_PROTOCOL).accepted()).isEqualTo(2);
    }
    assertThat(ids()).hasSize(2);
  }

  @Test
  void aRepeatedBodyIsStoredOnce() {
    ItemRules rules = rules(FieldMapping.NONE, IdentityRule.BODY);
    for (int i = 0; i < 2; i++) {
      add(1, "web", AT_EIGHT, null);
      add(1, "web", AT_EIGHT, null);
      push(rules);
    }
    assertThat(ids()).hasSize(2);
  }

  @Test
  void identityByContentStoresRepeatedRecordsOnce() {
    ItemRules rules = rules(FieldMapping.NONE, IdentityRule.CONTENT);
    add(1, "web", AT_EIGHT, null);
    add(2, "web", AT_EIGHT, null);
    push(rules);
    add(2, "web", AT_EIGHT, null);
    add(3, "web", AT_EIGHT, null);
    push(rules);
    assertThat(ids()).hasSize(3);
  }

  @Test
  void untimedRecordsAreNeverMerged() {
    for (IdentityRule rule : IdentityRule.values()) {
      store.clear();
      for (int i = 0; i < 2; i++) {
        add(1, "web", Rfc3339.NOT_A_TIME, null);
        assertThat(push(rules(FieldMapping.NONE, rule)).untimed()).isEqualTo(1);
      }
      assertThat(ids()).as(rule.name()).hasSize(2);
    }
  }
}
