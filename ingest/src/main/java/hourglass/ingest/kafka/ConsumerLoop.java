package hourglass.ingest.kafka;

import hourglass.access.Failures;
import hourglass.ingest.kafka.KafkaMeters.Count;
import hourglass.ingest.kafka.KafkaMeters.PartitionStatus;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import hourglass.ingest.service.Verdicts.ItemError;
import hourglass.store.OverloadedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of the group: polls records, sends them to the store in flights, and commits the
 * offsets of landed flights. It never waits for the store, so it stays a member while the store is
 * away. One thread runs all of it, except {@link #stop}, {@link #status} and {@link #topicProblem}.
 */
final class ConsumerLoop implements ConsumerRebalanceListener {
  private static final Logger logger = LoggerFactory.getLogger(ConsumerLoop.class);

  private static final Duration IDLE = Duration.ofMillis(200);

  /** While flights are under way: landings are seen between polls. */
  private static final Duration BUSY = Duration.ofMillis(20);

  /** In a row, before a flight is divided: a chance failure gets three tries. */
  private static final int REFUSALS = 3;

  /** Of a whole flight with a busy store, before it is divided. */
  private static final int BUSY_TRIES = 8;

  private static final long LOG_INTERVAL_NANOS = 60_000_000_000L;

  private static final long COMMIT_NANOS = 1_000_000_000;

  /** The wait for flights before their partition is given up. */
  private static final long LANDING_NANOS = 3_000_000_000L;

  /** Bytes of unstored records in all partitions and consumers of this process. */
  private static final long HELD_BYTES_MAX = 64 << 20;

  /** Others than the loop may only read its metrics. */
  final Consumer<ByteBuffer, ByteBuffer> consumer;

  private final KafkaOptions options;
  private final IngestService ingest;
  private final DeadLetters deadLetters;
  private final KafkaMeters meters;
  private final TopicProblems problems;
  private final StartOffsets starts;
  private final OffsetCommits commits;
  private final PartitionProgress progress;
  private final ArenaPool spares;
  private final Map<TopicPartition, PartitionFlow> flows = new HashMap<>();

  /** Work after flights landed or failed. */
  private final BlockingQueue<Runnable> landings = new LinkedBlockingQueue<>();

  private long committedNanos = System.nanoTime();
  private boolean storeFails;

  /** Of the last message about a refused record. */
  private @Nullable Long loggedNanos;

  private volatile boolean stopping;

  ConsumerLoop(
      Consumer<ByteBuffer, ByteBuffer> consumer,
      KafkaOptions options,
      IngestService ingest,
      DeadLetters deadLetters,
      KafkaMeters meters) {
    this.consumer = consumer;
    this.options = options;
    this.ingest = ingest;
    this.deadLetters = deadLetters;
    this.meters = meters;
    this.problems = new TopicProblems(consumer, flows, options);
    this.starts = new StartOffsets(consumer, flows, meters);
    this.commits = new OffsetCommits(consumer, flows, meters, problems);
    this.progress = new PartitionProgress(consumer, flows);
    this.spares = new ArenaPool(options.consumers());
  }

  /** Consumes until {@link #stop}, waits for flights, and commits. Throws if the client fails. */
  void run() {
    if (options.topics().hasPatterns()) {
      consumer.subscribe(options.topics().pattern(options.deadLetters()), this);
    } else {
      consumer.subscribe(options.topics().names(), this);
    }
    while (!stopping) {
      turn();
    }
    onPartitionsRevoked(
        List.copyOf(flows.keySet())); // once: closing the client finds no partitions
  }

  void turn() {
    try {
      work();
    } catch (TopicAuthorizationException e) { // perhaps from an answer received in another call
      problems.refused(e);
    } catch (AuthorizationException e) {
      logger.debug("refused", e);
      problems.refusedAll();
    } catch (KafkaException e) {
      if (!problems.broken(e)) {
        throw e;
      }
      logger.error("a partition cannot be read, and is left alone for a while", e);
    }
  }

  private void work() {
    if (problems.areAllRefused(System.nanoTime())) {
      runNextLanding(IDLE.toNanos());
    } else {
      take(poll());
    }
    runLandings();
    long now = System.nanoTime();
    flows.values().forEach(flow -> flow.due(now).forEach(flight -> begin(flow, flight)));
    pauseAndResume();
    if (now - committedNanos >= COMMIT_NANOS) {
      committedNanos = now;
      commits.start();
      problems.update(now);
      progress.update(now);
    }
  }

  /** Thread-safe. */
  void stop() {
    stopping = true;
    consumer.wakeup();
  }

  /** As of about a second ago. Thread-safe. */
  List<PartitionStatus> status() {
    return progress.status();
  }

  /** For an operator. Thread-safe. */
  @Nullable String topicProblem() {
    return problems.text();
  }

  private ConsumerRecords<ByteBuffer, ByteBuffer> poll() {
    try {
      boolean busy = flows.values().stream().anyMatch(flow -> !flow.isEmpty());
      return consumer.poll(busy ? BUSY : IDLE);
    } catch (NoOffsetForPartitionException e) {
      starts.begin(e.partitions());
    } catch (LogTruncationException e) {
      starts.continueBeforeCut(e);
    } catch (OffsetOutOfRangeException e) {
      starts.continueAtEarliest(e.offsetOutOfRangePartitions());
    } catch (WakeupException e) {
      logger.debug("woken up to stop");
    } catch (RetriableException e) {
      logger.warn("polling failed, and is repeated: {}", e.toString());
    }
    return ConsumerRecords.empty();
  }

  private void take(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
    for (TopicPartition partition : records.partitions()) {
      int deleted = flow(partition).add(records.records(partition));
      meters.records(partition.topic(), "tombstone", deleted);
    }
    records.nextOffsets().forEach((partition, next) -> flow(partition).reached(next));
  }

  private PartitionFlow flow(TopicPartition of) {
    return flows.computeIfAbsent(
        of,
        key ->
            new PartitionFlow(
                key, options.mapping(key.topic()), ingest.options().maxEventBytes(), spares));
  }

  private void begin(PartitionFlow flow, Flight flight) {
    flight.start();
    if (flight.batch.size() == 0) {
      flight.landed();
      flow.settle();
      return;
    }
    CompletionStage<Verdicts> landing;
    try {
      landing = ingest.ingest(flight.batch).thenCompose(verdicts -> sendRejected(flight, verdicts));
    } catch (RuntimeException | StackOverflowError e) {
      landing = CompletableFuture.failedFuture(e);
    }
    landing.whenComplete(
        (verdicts, failure) -> landings.add(() -> landed(flow, flight, verdicts, failure)));
  }

  private CompletionStage<Verdicts> sendRejected(Flight flight, Verdicts verdicts) {
    CompletableFuture<?>[] letters =
        verdicts.errors().stream()
            .map(error -> letter(flight, error))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(letters).thenApply(sent -> verdicts);
  }

  private CompletableFuture<Void> letter(Flight flight, ItemError error) {
    if (flight.lettersSent.contains(error.index())) {
      return CompletableFuture.completedFuture(null); // sent in an earlier try
    }
    return deadLetters
        .send(flight.record(error.index()), error.reason())
        .thenRun(() -> flight.lettersSent.add(error.index()))
        .toCompletableFuture();
  }

  private void landed(
      PartitionFlow flow, Flight flight, @Nullable Verdicts verdicts, @Nullable Throwable failure) {
    if (isGivenUp(flow)) {
      return;
    }
    if (verdicts != null && failure == null) {
      storeFails = false;
      meters.records(flow.partition.topic(), "accepted", verdicts.accepted());
      meters.records(flow.partition.topic(), "rejected", verdicts.rejected());
      flight.landed();
      flow.settle();
      return;
    }
    failed(flow, flight, Failures.cause(Objects.requireNonNull(failure)));
  }

  /** Its landings no longer count. */
  private boolean isGivenUp(PartitionFlow flow) {
    return flows.get(flow.partition) != flow;
  }

  private void failed(PartitionFlow flow, Flight flight, Throwable failure) {
    long now = System.nanoTime();
    meters.count(Count.RETRIES);
    boolean isOfRecords = Flight.isOfRecords(failure);
    flight.failed(now, isOfRecords);
    boolean isOneRecord = flight.batch.size() == 1;
    if (isOfRecords && flight.refusals() >= REFUSALS) {
      if (isOneRecord) {
        sendRefused(flow, flight, failure);
      } else {
        flow.halve(flight);
      }
      return;
    }
    if (!isOfRecords
        && !isOneRecord
        && flight.failures() % BUSY_TRIES == 0
        && failure instanceof OverloadedException) {
      flow.halve(flight); // a smaller one may fit
      return;
    }
    if (!storeFails && flight.failures() == 1) { // once, not for each try
      storeFails = true;
      logger.warn("{}: not stored, will try again: {}", flow.partition, failure.toString());
    }
  }

  /** The store rejects this record for good: it becomes a dead letter. */
  private void sendRefused(PartitionFlow flow, Flight flight, Throwable failure) {
    flight.start(); // on its way to the dead-letter topic
    long now = System.nanoTime();
    if (loggedNanos == null || now - loggedNanos >= LOG_INTERVAL_NANOS) { // not for each record
      loggedNanos = now;
      logger.error(
          "{}@{}: the store refuses it for good; it becomes a dead letter, as others like it: {}",
          flow.partition,
          flight.batch.offset(0),
          failure.toString());
    }
    deadLetters
        .send(flight.record(0), "not stored: " + failure)
        .whenComplete((sent, unsent) -> landings.add(() -> refused(flow, flight, unsent)));
  }

  private void refused(PartitionFlow flow, Flight flight, @Nullable Throwable unsent) {
    if (isGivenUp(flow)) {
      return;
    }
    if (unsent != null) {
      flight.failed(System.nanoTime(), true); // of the dead letter; the record stays refused
      return;
    }
    meters.count(Count.REFUSED);
    meters.records(flow.partition.topic(), "rejected", 1);
    flight.landed();
    flow.settle();
  }

  private void runLandings() {
    for (Runnable next = landings.poll(); next != null; next = landings.poll()) {
      next.run();
    }
  }

  private void pauseAndResume() {
    long most = HELD_BYTES_MAX / options.consumers();
    long held = flows.values().stream().mapToLong(PartitionFlow::heldBytes).sum();
    flows.values().forEach(flow -> pauseOrResume(flow, held >= most, held <= most / 2));
  }

  /** Both flags are about the bytes that all partitions together hold. */
  private void pauseOrResume(PartitionFlow flow, boolean allFull, boolean allHaveRoom) {
    boolean idle = flow.heldBytes() == 0; // must not wait for stuck partitions
    if (flow.isPaused()
        ? flow.hasRoom() && (allHaveRoom || idle)
        : flow.isFull() || allFull && !idle) {
      boolean pause = !flow.isPaused();
      flow.setPaused(pause);
      if (pause) {
        meters.count(Count.PAUSES);
        consumer.pause(List.of(flow.partition));
      } else {
        consumer.resume(List.of(flow.partition));
      }
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      logger.info("consuming {}", partitions);
      partitions.forEach(this::flow);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    awaitFlights(partitions);
    commits.commitAndWait(partitions);
    giveUp(partitions);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    logger.warn(
        "{} are another member's: this one was silent for too long; the other reads uncommitted"
            + " records again, which changes nothing",
        partitions);
    giveUp(partitions);
  }

  private void giveUp(Collection<TopicPartition> partitions) {
    partitions.forEach(flows::remove);
    problems.publish();
    progress.publish();
  }

  private void awaitFlights(Collection<TopicPartition> partitions) {
    long untilNanos = System.nanoTime() + LANDING_NANOS;
    List<PartitionFlow> leaving =
        partitions.stream().map(flows::get).filter(Objects::nonNull).toList();
    boolean lands = true; // the next owner reads the rest again
    while (lands && leaving.stream().anyMatch(PartitionFlow::isFlying)) {
      lands = runNextLanding(untilNanos - System.nanoTime());
    }
  }

  /** False if there is none in time. */
  private boolean runNextLanding(long waitNanos) {
    try {
      Runnable next = landings.poll(waitNanos, TimeUnit.NANOSECONDS);
      if (next == null) {
        return false;
      }
      next.run();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
