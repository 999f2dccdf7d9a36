package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.FixedShards;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.store.OverloadedException;
import hourglass.store.Retention;
import hourglass.store.UnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Events that have an id and no time are recognized by the time of their first attempt. */
class UntimedEventsTest extends IngestFixture {
  private static final ItemRules BY_ID = ItemRules.of(FieldMapping.DEFAULT).with(IdentityRule.ID);
  private static final String WITH_ID = "{\"type\":\"a\",\"id\":\"%s\"}";

  /** Two hours, so that a repeat would go into another row. */
  private void passTime() {
    clock = Clock.offset(clock, Duration.ofHours(2));
    service = service();
  }

  private static String cloudEvent(String id, String more) {
    return ("{\"specversion\":\"1.0\",\"type\":\"a\",\"source\":\"/s\",\"id\":\"" + id + "\"")
        + more
        + "}";
  }

  @Test
  void anUntimedCloudEventIsStoredOnce() {
    for (int i = 0; i < 3; i++) {
      Verdicts verdicts = push(BodyFormat.CLOUDEVENTS, null, cloudEvent("1", ""));
      assertThat(verdicts).isEqualTo(new Verdicts(1, 0, 1, List.of()));
      passTime();
    }
    assertThat(ids()).hasSize(1);
    push(BodyFormat.CLOUDEVENTS, null, cloudEvent("2", ""));
    assertThat(ids()).hasSize(2);
  }

  @Test
  void anUntimedJsonEventIsStoredOnceOnlyUnderIdentityById() {
    String event = WITH_ID.formatted("1");
    for (int i = 0; i < 2; i++) {
      assertThat(push(BY_ID, event)).isEqualTo(new Verdicts(1, 0, 1, List.of()));
      passTime();
    }
    assertThat(ids()).hasSize(1);
    for (int i = 0; i < 2; i++) {
      push(ItemRules.of(FieldMapping.DEFAULT), event);
      passTime();
    }
    assertThat(ids()).hasSize(3);
  }

  @Test
  void identityByIdAppliesDespiteAnIdempotencyKey() {
    for (int i = 0; i < 2; i++) {
      push(BY_ID, "key", WITH_ID.formatted("1") + "\n{\"type\":\"b\"," + AT + "}");
      passTime();
    }
    assertThat(ids()).hasSize(2);
  }

  @Test
  void eventsWithoutAnIdAreAllStored() {
    push(BY_ID, "{\"type\":\"a\"}");
    push(BY_ID, "{\"type\":\"a\"}");
    assertThat(ids()).hasSize(2);
  }

  @Test
  void anEventWithABadTimeCountsAsUntimed() {
    ItemRules rules = new ItemRules(FieldMapping.DEFAULT, null, true, null, IdentityRule.ID);
    for (int i = 0; i < 2; i++) {
      Verdicts verdicts = push(rules, "{\"type\":\"a\",\"id\":7,\"time\":\"soon\"}");
      assertThat(verdicts).isEqualTo(new Verdicts(1, 0, 1, List.of()));
      passTime();
    }
    assertThat(ids()).hasSize(1);
  }

  @Test
  void aRequestMayWriteEventsOfSeveralHours() {
    push(BY_ID, WITH_ID.formatted("1"));
    passTime();
    String body =
        String.join(
            "\n",
            WITH_ID.formatted("1"),
            WITH_ID.formatted("2"),
            "{\"type\":\"a\"," + AT + "}",
            WITH_ID.formatted("2"));
    assertThat(push(BY_ID, body)).isEqualTo(new Verdicts(4, 0, 3, List.of()));
    assertThat(ids()).hasSize(3);
  }

  @Test
  void plannedRowsStoreUntimedEventsOnce() {
    shards = FixedShards.PLANNED;
    service = service();
    for (int i = 0; i < 2; i++) {
      push(BY_ID, WITH_ID.formatted("1") + "\n{\"type\":\"a\"," + AT + ",\"id\":2}");
      passTime();
    }
    assertThat(ids()).hasSize(2);
  }

  /** Otherwise an acknowledged event would be deleted at once. */
  @Test
  void aFirstTimeOlderThanTheRetentionIsIgnored() {
    IngestOptions d = IngestOptions.DEFAULTS;
    options =
        new IngestOptions(
            d.acceptLate(),
            d.acceptEarly(),
            d.maxEventBytes(),
            d.maxBodyBytes(),
            d.maxInFlightBytes(),
            d.maxNesting(),
            d.errorsListedMax(),
            Retention.of(Duration.ofHours(1), Map.of()));
    service = service();
    push(BY_ID, WITH_ID.formatted("1"));
    passTime();
    push(BY_ID, WITH_ID.formatted("1"));
    assertThat(ids()).hasSize(2);
  }

  @Test
  void aRetryOfAFailedWriteUsesItsFirstTime() {
    store.answer(CompletableFuture.failedFuture(new UnavailableException("lost")));
    assertThatThrownBy(() -> push(BY_ID, WITH_ID.formatted("1")))
        .hasCauseInstanceOf(UnavailableException.class);
    store.answer(CompletableFuture.completedFuture(null));
    passTime();
    push(BY_ID, WITH_ID.formatted("1"));
    passTime();
    push(BY_ID, WITH_ID.formatted("1"));
    assertThat(ids()).hasSize(1);
  }

  @Test
  void nothingIsStoredIfFirstTimesAreRefused() {
    store.refuseFirstTimes(new OverloadedException("full", Duration.ofSeconds(1)));
    String timed = "{\"type\":\"b\"," + AT + "}";
    assertThatThrownBy(() -> push(BY_ID, WITH_ID.formatted("1") + "\n" + timed))
        .hasCauseInstanceOf(OverloadedException.class);
    assertThat(ids()).isEmpty();
    assertThat(service.inFlight().used()).isZero();
    assertThat(push(BY_ID, timed).accepted()).isEqualTo(1);
    store.refuseFirstTimes(null);
    assertThat(push(BY_ID, WITH_ID.formatted("1")).accepted()).isEqualTo(1);
    assertThat(ids()).hasSize(2);
  }
}
