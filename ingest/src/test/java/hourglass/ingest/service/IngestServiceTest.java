package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.Client;
import hourglass.access.Limits;
import hourglass.access.Quotas;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Reason;
import hourglass.store.OverloadedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IngestServiceTest extends IngestFixture {
  @Test
  void aRepeatedIdWritesTheSameColumn() {
    lines("{\"type\":\"a\",\"id\":\"7\"," + AT + "}");
    lines("{\"type\":\"a\",\"id\":\"\\u0037\",\"more\":1," + AT + "}");
    lines("{\"type\":\"a\",\"id\":7," + AT + "}");
    assertThat(ids()).hasSize(1);
    assertThat(store.payloads()).containsExactly("{\"type\":\"a\",\"id\":7," + AT + "}");
    lines("{\"type\":\"a\",\"id\":\"8\"," + AT + "}");
    lines("{\"type\":\"b\",\"id\":\"7\"," + AT + "}");
    lines("{\"type\":\"a\",\"id\":\"7\",\"time\":\"2026-11-20T08:00:01Z\"}");
    assertThat(ids()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "\"\"", "true", "{}", "[1]"})
  void invalidIdsAreIgnored(String id) {
    String event = "{\"type\":\"a\",\"id\":" + id + "," + AT + "}";
    lines(event);
    lines(event);
    assertThat(ids()).hasSize(2);
  }

  @Test
  void keyDigestAndPositionIdentifyAnEvent() {
    String body = ("{\"type\":\"a\"," + AT + "}\n").repeat(3);
    push(BodyFormat.NDJSON, "key", body);
    push(BodyFormat.NDJSON, "key", body);
    assertThat(ids()).hasSize(3);
    push(BodyFormat.NDJSON, "other", body);
    assertThat(ids()).hasSize(6);
    push(BodyFormat.NDJSON, "key", body + "\n");
    assertThat(ids()).hasSize(9);
    lines(body);
    lines(body);
    assertThat(ids()).hasSize(15);
  }

  /** The client repeats such a request many times. */
  @Test
  void aRequestBeyondItsQuotaCountsNoRejects() {
    Limits one = new Limits(1, 0, 0, 0, 0, 0);
    Client client = Client.open("test").within(new Quotas(one, () -> 0, limit -> {}));
    String body = "{\"type\":\"a\"}\n{\"type\":5}\n{\"type\":\"a\"}\n";
    assertThat(push(client, body).join().rejected()).isEqualTo(1);
    assertThat(push(client, body)).failsWithin(Duration.ZERO);
    assertThat(service.rejects()).singleElement().extracting(Rejects::count).isEqualTo(1L);
    assertThat(meters.get("hourglass.ingest.events").tag("verdict", "rejected").counter().count())
        .isEqualTo(1);
  }

  /** The clock of the quota stands still, so a delay lasts only the real time of its timer. */
  @Test
  void requestsSlightlyAboveTheQuotaAreStoredInOrder() {
    Client client = ofTenEvents();
    push(client, "{\"type\":\"a\"}\n".repeat(10)).join();
    CompletableFuture<Void> written = new CompletableFuture<>();
    store.answer(written);
    long began = System.nanoTime();
    CompletableFuture<Verdicts> first = push(client, "{\"type\":\"a\",\"n\":1}");
    CompletableFuture<Verdicts> second = push(client, "{\"type\":\"a\",\"n\":2}");
    assertThat(push(client, "{\"type\":\"a\",\"n\":3}")).failsWithin(Duration.ZERO);
    assertThat(service.inFlight().used()).isPositive();
    written.complete(null);
    assertThat(second.join().accepted()).isEqualTo(1);
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(200_000_000L);
    assertThat(first).isCompleted();
    assertThat(store.payloads()).hasSize(12).noneMatch(event -> event.contains("3"));
    assertThat(service.inFlight().used()).isZero();
  }

  private static Client ofTenEvents() {
    Limits ten = new Limits(10, 0, 0, 0, 0, 0);
    return Client.open("test").within(new Quotas(ten, () -> 0, limit -> {}));
  }

  @Test
  void aDelayedRequestIsRefusedAfterShutdown() {
    workers =
        work -> {
          throw new RejectedExecutionException();
        };
    service = service();
    Client client = ofTenEvents();
    push(client, "{\"type\":\"a\"}\n".repeat(10)).join();
    assertThat(push(client, "{\"type\":\"a\"}"))
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withRootCauseInstanceOf(RejectedExecutionException.class);
    assertThat(service.inFlight().used()).isZero();
  }

  @Test
  void requestsAreNotDelayedWhileMemoryIsShort() {
    Client client = ofTenEvents();
    push(client, "{\"type\":\"a\"}\n".repeat(10)).join();
    InFlightBudget.Reservation others = service.inFlight().reservation("others");
    assertThat(others.add(options.maxInFlightBytes() / 2)).isTrue();
    assertThat(push(client, "{\"type\":\"a\"}")).failsWithin(Duration.ZERO);
    others.release();
    assertThat(push(client, "{\"type\":\"a\"}").join().accepted()).isEqualTo(1);
  }

  private CompletableFuture<Verdicts> push(Client client, String body) {
    Body bytes = Body.copyOf(body.getBytes(StandardCharsets.UTF_8));
    return push(bytes, BodyFormat.NDJSON, ItemRules.of(mapping), null, client);
  }

  @Test
  void namesOfOneTickFollowTheOrderSent() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 6000; i++) {
      body.append("{\"type\":\"a\",\"n\":").append(i).append(',').append(AT).append("}\n");
    }
    lines(body.toString());
    assertThat(store.payloads()).hasSize(6000).first().asString().contains("\"n\":0,");
    assertThat(String.join("\n", store.payloads()) + "\n").isEqualTo(body.toString());
  }

  @Test
  void eventsAreGroupedByRow() {
    shards = 3;
    service = service();
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      body.append(
          "{\"type\":\"%s\",\"id\":%d,\"time\":\"2026-11-20T0%d:00:00Z\"}\n"
              .formatted(i % 5 == 0 ? "a" : "b", i, i % 7));
    }
    assertThat(lines(body.toString()).accepted()).isEqualTo(3000);
    assertThat(store.writes()).isEqualTo(1);
    assertThat(store.rows()).hasSize(2 * 7 * 3);
    assertThat(store.payloads()).hasSize(3000).doesNotHaveDuplicates();
  }

  @Test
  void typesMayExceedTheCache() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      body.append("{\"type\":\"type %d\",%s}\n".formatted(i % 2500, AT));
    }
    assertThat(lines(body.toString()).accepted()).isEqualTo(5000);
    assertThat(store.rows()).hasSize(2500);
  }

  /** The store keeps columns until they are in pages, and counts them against its memory. */
  @Test
  void columnMemoryMatchesItsContent() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 2500; i++) {
      body.append("{\"type\":\"type %d\",%s}\n".formatted(i, AT));
    }
    lines(body.toString());
    assertThat(store.writtenMemory()).as("of types that are new").isLessThan(2500 * 250);
    String event = "{\"type\":\"a\"," + AT + "}";
    lines((event + "\n").repeat(5000));
    int held = 5000 * (20 + event.length());
    assertThat(store.writtenMemory()).as("of arrays that grow by half").isLessThan(held * 3L / 2);
    lines(event + "\n");
    assertThat(store.writtenMemory()).as("of a type that had more").isLessThan(1500);
  }

  @Test
  void listedErrorsAreLimitedButAllAreCounted() {
    Verdicts verdicts = lines("{}\n".repeat(1000));
    assertThat(verdicts.rejected()).isEqualTo(1000);
    assertThat(verdicts.errors()).hasSize(100);
    assertThat(
            meters.get("hourglass.ingest.rejects").tag("reason", "type_missing").counter().count())
        .isEqualTo(1000);
    Rejects rejects = service.rejects().get(0);
    assertThat(rejects.type()).isNull();
    assertThat(rejects.reason()).isEqualTo(Reason.TYPE_MISSING);
    assertThat(rejects.count()).isEqualTo(1000);
    assertThat(rejects.samples()).extracting(Rejects.Sample::event).containsOnly("{}");
  }

  @Test
  void ledgerSizeIsLimited() {
    for (int i = 0; i < 2000; i++) {
      lines("{\"type\":\"t%d\",\"time\":\"%d\",\"p\":\"%s\"}".formatted(i, i, "x".repeat(2000)));
    }
    assertThat(service.rejects().toString().length()).isLessThan(1_000_000);
    assertThat(service.rejects().stream().mapToLong(Rejects::count).sum()).isEqualTo(2000);
  }

  @Test
  void storeFailureIsPassedOnAndFreesMemory() {
    store.answer(
        CompletableFuture.failedFuture(new OverloadedException("full", Duration.ofSeconds(3))));
    assertThatThrownBy(() -> lines("{\"type\":\"a\"}"))
        .hasCauseInstanceOf(OverloadedException.class);
    assertThat(service.inFlight().used()).isZero();
    store.answer(new CompletableFuture<>());
    var unanswered =
        push(
            Body.copyOf("{\"type\":\"a\"}".getBytes(StandardCharsets.UTF_8)),
            BodyFormat.JSON,
            ItemRules.of(mapping),
            null,
            Client.open("test"));
    assertThat(unanswered).isNotDone();
    assertThat(service.inFlight().used()).isPositive();
  }

  @Test
  void anErrorInTheStoreReleasesTheMemoryOfThePush() {
    store.refuse(
        payloads -> {
          throw new StackOverflowError("too deep");
        });
    assertThatThrownBy(() -> lines("{\"type\":\"web\"}"))
        .hasCauseInstanceOf(StackOverflowError.class);
    assertThat(service.inFlight().used()).isZero();
  }
}
