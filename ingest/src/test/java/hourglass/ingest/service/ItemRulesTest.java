package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.store.OverloadedException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ItemRulesTest extends IngestFixture {
  private static final ItemRules BY_CONTENT =
      new ItemRules(FieldMapping.DEFAULT, null, false, null, IdentityRule.CONTENT);

  private static String event(String type, String more) {
    return "{\"type\":\"" + type + "\"," + AT + more + "}";
  }

  @Test
  void anEventWithoutATypeGetsTheDefaultOne() {
    ItemRules rules = new ItemRules(FieldMapping.DEFAULT, "logs", false, null, IdentityRule.NONE);
    assertThat(push(rules, "{" + AT + "}\n" + event("a", "")).accepted()).isEqualTo(2);
    assertThat(ids()).extracting(id -> id.split("\\|")[1]).containsExactly("a", "logs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "5", "true", "{}", "[\"a\"]", "\"\""})
  void aTypeThatIsNoStringIsRefused(String type) {
    ItemRules rules = new ItemRules(FieldMapping.DEFAULT, "logs", false, null, IdentityRule.NONE);
    assertThat(reason(push(rules, "{\"type\":" + type + "," + AT + "}"))).startsWith("type: ");
    assertThat(ids()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"soon\"", "\"1970-01-01T00:00:00Z\"", "\"2030-01-01T00:00:00Z\"", "{}"})
  void aBadTimeBecomesTheTimeOfReceipt(String time) {
    String event = "{\"type\":\"a\",\"time\":" + time + "}";
    ItemRules rules = new ItemRules(FieldMapping.DEFAULT, null, true, null, IdentityRule.NONE);
    assertThat(push(rules, event)).isEqualTo(new Verdicts(1, 0, 1, List.of()));
    assertThat(ids()).singleElement().asString().startsWith("20112610|a|");
    assertThat(push(ItemRules.of(FieldMapping.DEFAULT), event).accepted()).isZero();
  }

  /** Clocks are set forward at 02:00 on March 29th, and back at 03:00 on October 25th. */
  @ParameterizedTest
  @CsvSource({
    "2026-11-20T08:00:00.5,  20112607",
    "'2026-11-20 08:00:00,123',  20112607",
    "2026/11/20 08:00:00,    20112607",
    "2026-07-20T08:00:00,    20072606",
    "2026-03-29T01:59:59,    29032600",
    "2026-03-29T02:30:00,    29032601",
    "2026-03-29T03:00:00,    29032601",
    "2026-10-25T02:30:00,    25102600",
    "2026-10-25T03:00:00,    25102602",
    "2026-11-20T08:00:00Z,   20112608",
  })
  void aLocalTimeIsReadInTheConfiguredZone(String time, String hour) {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    ItemRules rules = new ItemRules(FieldMapping.DEFAULT, null, false, berlin, IdentityRule.NONE);
    String event = "{\"type\":\"a\",\"time\":\"" + time + "\"}";
    assertThat(push(rules, event)).isEqualTo(new Verdicts(1, 0, 0, List.of()));
    assertThat(ids()).singleElement().asString().startsWith(hour + "|a|");
  }

  @Test
  void aLocalTimeIsReadAsUtcIfConfigured() {
    String event = "{\"type\":\"a\",\"time\":\"2026-11-20T08:00:00.5\"}";
    ItemRules rules =
        new ItemRules(FieldMapping.DEFAULT, null, false, ZoneOffset.UTC, IdentityRule.NONE);
    assertThat(push(rules, event)).isEqualTo(new Verdicts(1, 0, 0, List.of()));
    assertThat(ids()).singleElement().asString().startsWith("20112608|a|");
    assertThat(push(ItemRules.of(FieldMapping.DEFAULT), event).accepted()).isZero();
  }

  @Test
  void equalContentInOtherBatchesIsStoredOnce() {
    String a = event("a", ",\"n\":1");
    String b = event("a", ",\"n\":2");
    push(BY_CONTENT, a + "\n" + b);
    List<String> names = ids();
    push(BY_CONTENT, b);
    push(BY_CONTENT, b + "\n" + a);
    assertThat(ids()).hasSize(2).isEqualTo(names);
  }

  /** Otherwise equal bodies of two clients would be one, though both were acknowledged. */
  @Test
  void untimedEventsOfAnEqualBodyAreStoredAgain() {
    ItemRules byBody = ItemRules.of(FieldMapping.DEFAULT).with(IdentityRule.BODY);
    String body = "{\"type\":\"a\"}\n" + event("b", "");
    push(byBody, "of the rule", body);
    push(byBody, "of the rule", body);
    assertThat(ids()).extracting(id -> id.split("\\|")[1]).containsExactly("b", "a", "a");
    ItemRules byKey = byBody.with(IdentityRule.NONE);
    push(byKey, "of the client", body);
    push(byKey, "of the client", body);
    assertThat(ids()).hasSize(5);
  }

  @Test
  void identityByContentNeedsMemoryToCountRepeats() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      body.append("{\"type\":\"a\",\"n\":").append(i).append(',').append(AT).append("}\n");
    }
    InFlightBudget.Reservation other = service.inFlight().reservation("other");
    long largeMax = IngestOptions.inFlightBytesMin(service.options().maxBodyBytes());
    long free = largeMax - 2L * body.length();
    assertThat(other.add(free - 500_000)).isTrue();
    assertThatThrownBy(() -> push(BY_CONTENT, body.toString()))
        .hasCauseInstanceOf(OverloadedException.class);
    assertThat(ids()).isEmpty();
    assertThat(service.inFlight().used()).isEqualTo(free - 500_000);
    other.subtract(100_000);
    assertThat(push(BY_CONTENT, body.toString()).accepted()).isEqualTo(20_000);
    assertThat(ids()).hasSize(20_000);
    assertThat(service.inFlight().used()).isEqualTo(free - 600_000);
  }

  @Test
  void equalEventsOfOneRequestAreAllStored() {
    String two = (event("a", "") + "\n").repeat(2);
    push(BY_CONTENT, two);
    assertThat(ids()).doesNotHaveDuplicates().hasSize(2);
    push(BY_CONTENT, two);
    assertThat(ids()).hasSize(2);
    push(BY_CONTENT, two + event("a", ""));
    assertThat(ids()).hasSize(3);
  }

  @Test
  void identityByContentUsesTypeTimeAndPayload() {
    push(BY_CONTENT, event("a", "") + "\n" + event("b", "") + "\n" + event("a", ",\"n\":1"));
    assertThat(ids()).hasSize(3);
  }

  /** The time of receipt differs from one sending to the next. */
  @Test
  void untimedEventsAreNotRecognizedByContent() {
    push(BY_CONTENT, "{\"type\":\"a\"}\n{\"type\":\"a\"}");
    push(BY_CONTENT, "{\"type\":\"a\"}");
    assertThat(ids()).hasSize(3);
  }

  @Test
  void anIdOverridesTheContent() {
    push(BY_CONTENT, event("a", ",\"id\":1,\"n\":1") + "\n" + event("a", ",\"id\":1,\"n\":2"));
    assertThat(ids()).hasSize(1);
  }
}
