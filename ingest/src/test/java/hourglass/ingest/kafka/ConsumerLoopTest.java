package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.kafka.KafkaMeters.PartitionStatus;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.store.CorruptException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commits, pauses and repeated reads, with a consumer that the test controls. */
class ConsumerLoopTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
  private static final TopicPartition OTHER = new TopicPartition("orders", 1);
  private static final long TIME = Instant.parse("2026-11-20T08:00:00Z").toEpochMilli();

  private final FakeStore store = new FakeStore();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Waits for nothing: what it has to give, the test gave it before. */
  private final MockConsumer<ByteBuffer, ByteBuffer> consumer =
      new MockConsumer<>("none") {
        @Override
        public synchronized ConsumerRecords<ByteBuffer, ByteBuffer> poll(Duration atMost) {
          return super.poll(Duration.ZERO);
        }
      };

  private final KafkaOptions options = options(List.of("orders"), 1, Map.of());
  private final KafkaMeters meters = new KafkaMeters(registry);
  private ConsumerLoop loop = loop(options);

  private static KafkaOptions options(
      List<String> topics, int consumers, Map<String, String> client) {
    return new KafkaOptions(
        "none:1",
        new TopicSelection(topics),
        "hourglass",
        consumers,
        Map.of(),
        DeadLetterName.OFF,
        client);
  }

  private ConsumerLoop loop(KafkaOptions with) {
    return new ConsumerLoop(consumer, with, service(), new DeadLetters(with, meters), meters);
  }

  private IngestService service() {
    return new IngestService(
        store,
        new FixedShards(1, Map.of()),
        PlannerOptions.DEFAULTS,
        new TimeUuidGenerator(Clock.systemUTC()),
        IngestOptions.DEFAULTS,
        FairExecutor.over(Runnable::run),
        registry);
  }

  @BeforeEach
  void assign() {
    consumer.subscribe(List.of("orders"), loop);
    consumer.rebalance(List.of(PARTITION, OTHER));
    Map<TopicPartition, Long> beginnings = new HashMap<>();
    beginnings.put(PARTITION, 0L);
    beginnings.put(OTHER, 0L);
    consumer.updateBeginningOffsets(beginnings);
    consumer.updateEndOffsets(beginnings);
    consumer.updatePartitions("orders", List.of(new PartitionInfo("orders", 0, null, null, null)));
    loop.turn(); // the group has no offset yet
  }

  private void add(TopicPartition partition, long offset, String value) {
    consumer.addRecord(
        new ConsumerRecord<>(
            partition.topic(),
            partition.partition(),
            offset,
            TIME,
            TimestampType.CREATE_TIME,
            -1,
            value == null ? -1 : value.length(),
            null,
            value == null ? null : ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)),
            new RecordHeaders(),
            Optional.empty()));
  }

  private CompletableFuture<Void> answerLater() {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    store.answer(answer);
    return answer;
  }

  /** Ten records of about 1 MB each. */
  private void addTenMegabytes() {
    String filler = "x".repeat(1_000_000);
    for (int i = 0; i < 10; i++) {
      add(PARTITION, i, "{\"n%d\":\"%s\"}".formatted(i, filler));
    }
  }

  private void until(Callable<Boolean> condition) {
    await()
        .until(
            () -> {
              loop.turn();
              return condition.call();
            });
  }

  private Long committed(TopicPartition partition) {
    OffsetAndMetadata offset = consumer.committed(Set.of(partition)).get(partition);
    return offset == null ? null : offset.offset();
  }

  private void untilCommitted(TopicPartition partition, long offset) {
    until(() -> Long.valueOf(offset).equals(committed(partition)));
  }

  private double count(String name) {
    return registry.get("hourglass.kafka." + name).counter().count();
  }

  private int stored() {
    return store.rows().values().stream().mapToInt(columns -> columns.size()).sum();
  }

  @Test
  void missingTopicIsReported() {
    TopicProblems problems =
        new TopicProblems(consumer, Map.of(), options(List.of("orders", "ordrs"), 1, Map.of()));
    assertThat(problems.text()).isNull();
    problems.findMissing();
    problems.publish();
    assertThat(problems.text()).isEqualTo("there is no topic ordrs");
    consumer.updatePartitions("ordrs", List.of(new PartitionInfo("ordrs", 0, null, null, null)));
    problems.findMissing();
    problems.publish();
    assertThat(problems.text()).isNull();
  }

  @Test
  void storedRecordsAreCommitted() {
    add(PARTITION, 0, "{\"n\":0}");
    add(PARTITION, 1, "{\"n\":1}");
    add(OTHER, 0, "{\"n\":2}");
    untilCommitted(PARTITION, 2);
    untilCommitted(OTHER, 1);
    assertThat(stored()).isEqualTo(3);
  }

  @Test
  void unstoredRecordsAreNotCommitted() {
    CompletableFuture<Void> first = answerLater();
    add(PARTITION, 0, "{\"n\":0}");
    until(() -> store.writes() == 1);
    store.answer(CompletableFuture.completedFuture(null));
    add(PARTITION, 1, "{\"n\":1}");
    add(OTHER, 0, "{\"n\":2}");
    untilCommitted(OTHER, 1);
    assertThat(committed(PARTITION)).as("the second is stored, the first is not").isNull();
    first.complete(null);
    untilCommitted(PARTITION, 2);
  }

  @Test
  void storeOutageIsRetried() {
    store.answer(CompletableFuture.failedFuture(new UnavailableException("away")));
    add(PARTITION, 0, "{\"n\":0}");
    until(() -> count("retries") >= 2);
    assertThat(committed(PARTITION)).isNull();
    store.answer(CompletableFuture.completedFuture(null));
    untilCommitted(PARTITION, 1);
    assertThat(stored()).isEqualTo(1);
  }

  /** The rest of a flight is stored despite other failures. */
  @Test
  void onlyTheRefusedRecordBecomesADeadLetter() {
    store.refuse(
        write ->
            write.contains("poison") ? new CorruptException("hours/x: damaged; restore it") : null);
    add(PARTITION, 0, null);
    for (int i = 1; i <= 20; i++) {
      add(PARTITION, i, "{\"n\":\"%s %d\"}".formatted(i == 7 || i == 20 ? "poison" : "good", i));
    }
    add(PARTITION, 21, "no event");
    add(OTHER, 0, "{\"n\":0}");
    untilCommitted(PARTITION, 22);
    untilCommitted(OTHER, 1);
    assertThat(store.payloads()).hasSize(19).allMatch(payload -> !payload.contains("poison"));
    assertThat(count("refused")).isEqualTo(2);
    assertThat(loop.topicProblem()).isNull();
  }

  @Test
  void transientFailuresMakeNoDeadLetter() {
    List<RuntimeException> failures =
        List.of(
            new CorruptException("by chance"),
            new CorruptException("by chance"),
            new UnavailableException("away"),
            new CorruptException("by chance"));
    store.refuse(write -> store.writes() <= 4 ? failures.get(store.writes() - 1) : null);
    add(PARTITION, 0, "{\"n\":0}");
    untilCommitted(PARTITION, 1);
    assertThat(count("refused")).isZero();
    assertThat(store.payloads()).hasSize(1);
  }

  @Test
  void tooLargeFlightIsHalved() {
    store.refuse(write -> write.length() > 60 ? new TooLargeException("more than 60 bytes") : null);
    for (int i = 0; i < 40; i++) {
      add(PARTITION, i, "{\"n\":%d}".formatted(i));
    }
    untilCommitted(PARTITION, 40);
    assertThat(store.payloads()).hasSize(40);
    assertThat(count("refused")).isZero();
  }

  @Test
  void storeOutageMakesNoDeadLetter() {
    store.answer(CompletableFuture.failedFuture(new UnavailableException("away")));
    add(PARTITION, 0, "{\"n\":0}");
    add(PARTITION, 1, "{\"n\":1}");
    until(() -> loop.topicProblem() != null);
    assertThat(loop.topicProblem()).isEqualTo("the store does not take the records of orders-0");
    assertThat(count("refused")).isZero();
    store.answer(CompletableFuture.completedFuture(null));
    untilCommitted(PARTITION, 2);
    until(() -> loop.topicProblem() == null);
  }

  @Test
  void retriedFlightIsUnchangedByLaterOnes() {
    store.keep(false);
    CompletableFuture<Void> slow = answerLater();
    List<String> expected = new ArrayList<>(addThreeMegabytes(PARTITION, 0));
    until(() -> store.writes() == 1);
    store.keep(true);
    store.answer(CompletableFuture.completedFuture(null));
    for (int offset = 0; offset < 12; offset += 3) {
      if (offset == 9) {
        slow.completeExceptionally(new UnavailableException("away"));
        until(() -> count("retries") == 1);
      }
      expected.addAll(addThreeMegabytes(OTHER, offset));
      untilCommitted(OTHER, offset + 3);
    }
    untilCommitted(PARTITION, 3);
    assertThat(store.payloads()).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** One flight, whose memory is worth using again. */
  private List<String> addThreeMegabytes(TopicPartition to, int offset) {
    List<String> values = new ArrayList<>();
    for (int i = offset; i < offset + 3; i++) {
      String value = "{\"n\":\"" + (to + " " + i + " ").repeat(80_000) + "\"}";
      values.add(value);
      add(to, i, value);
    }
    return values;
  }

  @Test
  void aFullPartitionIsPausedWhilePollingContinues() {
    CompletableFuture<Void> slow = answerLater();
    addTenMegabytes();
    until(() -> !consumer.paused().isEmpty());
    assertThat(consumer.paused()).containsExactly(PARTITION);
    assertThat(count("pauses")).isEqualTo(1);
    add(OTHER, 0, "{\"n\":2}");
    until(() -> store.writes() == 3); // two of the one, one of the other
    store.answer(CompletableFuture.completedFuture(null));
    slow.complete(null);
    untilCommitted(PARTITION, 10);
    assertThat(consumer.paused()).isEmpty();
  }

  @Test
  void allPartitionsPauseAtTheCommonLimit() {
    CompletableFuture<Void> slow = answerLater();
    eachMayHoldOneMegabyte();
    String half = "{\"n\":\"" + "x".repeat(600_000) + "\"}";
    add(PARTITION, 0, half);
    add(OTHER, 0, half);
    until(() -> consumer.paused().size() == 2);
    slow.complete(null);
    untilCommitted(OTHER, 1);
    assertThat(consumer.paused()).isEmpty();
  }

  @Test
  void aStuckPartitionDoesNotBlockAnEmptyOne() {
    CompletableFuture<Void> stuck = new CompletableFuture<>();
    store.answer(stuck);
    eachMayHoldOneMegabyte();
    add(PARTITION, 0, "{\"n\":\"" + "x".repeat(1_040_000) + "\"}");
    add(PARTITION, 1, "{\"n\":\"" + "x".repeat(1_040_000) + "\"}");
    until(() -> !consumer.paused().isEmpty());
    assertThat(consumer.paused()).containsExactly(PARTITION);
    store.answer(CompletableFuture.completedFuture(null));
    add(OTHER, 0, "{\"n\":1}");
    untilCommitted(OTHER, 1);
    assertThat(committed(PARTITION)).isNull();
    stuck.complete(null);
    untilCommitted(PARTITION, 2);
  }

  private void eachMayHoldOneMegabyte() {
    consumer.unsubscribe();
    loop = loop(options(List.of("orders"), KafkaOptions.CONSUMERS_MAX, Map.of()));
    assign();
  }

  @Test
  void tombstonesAreSkippedAndBadEventsRejected() {
    add(PARTITION, 0, null);
    add(PARTITION, 1, "no event");
    add(PARTITION, 2, "{\"n\":2}");
    add(PARTITION, 3, null);
    untilCommitted(PARTITION, 4);
    assertThat(stored()).isEqualTo(1);
    for (String verdict : List.of("accepted", "rejected", "tombstone")) {
      assertThat(registry.get("hourglass.kafka.records").tag("verdict", verdict).counter().count())
          .as(verdict)
          .isEqualTo(verdict.equals("tombstone") ? 2 : 1);
    }
  }

  @Test
  void revokedPartitionIsCommittedFirst() {
    add(PARTITION, 0, "{\"n\":0}");
    until(() -> store.writes() == 1);
    consumer.rebalance(List.of(OTHER));
    assertThat(loop.status()).extracting(PartitionStatus::partition).containsExactly(1);
    consumer.rebalance(List.of(OTHER, PARTITION));
    assertThat(committed(PARTITION)).isEqualTo(1);
  }

  @Test
  void deletedRecordsAreSkippedToTheEarliest() {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 5L));
    consumer.seek(PARTITION, 2);
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 2L)));
    until(() -> count("out.of.range") == 1);
    assertThat(consumer.position(PARTITION)).isEqualTo(5);
  }

  @Test
  void truncatedPartitionContinuesAtTheTruncation() {
    consumer.seek(PARTITION, 9);
    TopicPartition at = PARTITION;
    consumer.setPollException(
        new LogTruncationException(Map.of(at, 9L), Map.of(at, new OffsetAndMetadata(7))));
    until(() -> count("out.of.range") == 1);
    assertThat(consumer.position(PARTITION)).isEqualTo(7);
  }

  @Test
  void forbiddenTopicIsReportedAndOthersContinue() {
    consumer.setPollException(new TopicAuthorizationException(Set.of("secrets")));
    loop.turn();
    assertThat(loop.topicProblem()).contains("let the group read").contains("secrets");
    add(PARTITION, 0, "{\"n\":0}");
    untilCommitted(PARTITION, 1);
  }

  @Test
  void lostPartitionIsNeitherCommittedNorReported() {
    CompletableFuture<Void> slow = answerLater();
    add(PARTITION, 0, "{\"n\":0}");
    until(() -> store.writes() == 1);
    loop.onPartitionsLost(List.of(PARTITION));
    slow.complete(null);
    store.answer(CompletableFuture.completedFuture(null));
    add(OTHER, 0, "{\"n\":1}");
    untilCommitted(OTHER, 1);
    assertThat(committed(PARTITION)).isNull();
    assertThat(loop.status()).extracting(PartitionStatus::partition).containsExactly(1);
  }

  @Test
  void lagOfAPausedPartitionGrows() {
    CompletableFuture<Void> slow = answerLater();
    addTenMegabytes();
    until(() -> consumer.paused().contains(PARTITION));
    consumer.updateEndOffsets(Map.of(PARTITION, 1_000L, OTHER, 0L));
    until(() -> lagOf(PARTITION) == 1_000);
    slow.complete(null);
    untilCommitted(PARTITION, 10);
  }

  private long lagOf(TopicPartition partition) {
    return loop.status().stream()
        .filter(status -> status.partition() == partition.partition())
        .mapToLong(PartitionStatus::lag)
        .sum();
  }

  @Test
  void offsetsOfARecreatedTopicStartOver() {
    CompletableFuture<Void> slow = answerLater();
    for (int i = 0; i < 5; i++) {
      add(PARTITION, i, "{\"old\":" + i + "}");
    }
    until(() -> store.writes() == 1);
    consumer.setPollException(new OffsetOutOfRangeException(Map.of(PARTITION, 5L)));
    until(() -> count("out.of.range") == 1);
    slow.complete(null);
    store.answer(CompletableFuture.completedFuture(null));
    add(OTHER, 0, "{\"n\":1}");
    untilCommitted(OTHER, 1);
    assertThat(committed(PARTITION)).as("5 is nothing that the new topic has").isNull();
    add(PARTITION, 0, "{\"new\":0}");
    untilCommitted(PARTITION, 1);
  }

  @Test
  void forbiddenGroupIsReportedAndRetried() {
    loop = loop(quick());
    consumer.setPollException(GroupAuthorizationException.forGroupId("hourglass"));
    loop.turn();
    assertThat(loop.topicProblem()).contains("group hourglass");
    add(PARTITION, 0, "{\"n\":0}");
    untilCommitted(PARTITION, 1);
    until(() -> loop.topicProblem() == null);
  }

  @Test
  void damagedBatchBlocksNoOtherPartition() {
    loop = loop(quick());
    consumer.setPollException(
        new KafkaException(
            "Received exception when fetching the next record from orders-0. If needed, please seek"
                + " past the record to continue consumption."));
    loop.turn();
    assertThat(consumer.paused()).containsExactly(PARTITION);
    assertThat(loop.topicProblem()).isEqualTo("records of orders-0 cannot be read");
    add(OTHER, 0, "{\"n\":0}");
    untilCommitted(OTHER, 1);
    until(() -> consumer.paused().isEmpty() && loop.topicProblem() == null);
  }

  @Test
  void failureWithoutAPartitionEndsTheClient() {
    consumer.setPollException(new KafkaException("of orders-10 and my-orders-0"));
    assertThatThrownBy(() -> loop.turn()).isInstanceOf(KafkaException.class);
  }

  private KafkaOptions quick() {
    return options(List.of("orders"), 1, Map.of("metadata.max.age.ms", "1"));
  }

  @Test
  void forbiddenTopicIsLeftAloneForAWhile() {
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    loop.turn();
    assertThat(consumer.paused()).containsExactlyInAnyOrder(PARTITION, OTHER);
    assertThat(loop.topicProblem()).contains("orders");
    loop = loop(quick());
    consumer.setPollException(new TopicAuthorizationException(Set.of("orders")));
    loop.turn();
    until(() -> consumer.paused().isEmpty() && loop.topicProblem() == null);
  }
}
