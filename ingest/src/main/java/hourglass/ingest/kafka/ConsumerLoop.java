package hourglass.ingest.kafka;

import hourglass.ingest.IngestService;
import hourglass.ingest.Verdicts;
import hourglass.ingest.Verdicts.ItemError;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * One member of the group: polls, hands records over in flights, and commits the offsets of those
 * that have landed. It never waits for the store, so that it stays a member however long that takes
 * or is away; a partition of which much is held is paused meanwhile. All of it runs on one thread,
 * but for {@link #stop}, {@link #status} and {@link #topicProblem}.
 */
final class ConsumerLoop implements ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(ConsumerLoop.class);

  private static final Duration IDLE = Duration.ofMillis(200);

  /** While something is on its way, whose landing is seen between polls. */
  private static final Duration BUSY = Duration.ofMillis(20);

  /** In a row: a store that was damaged, or fails by chance, has had three tries. */
  private static final int REFUSALS = 3;

  /** So often a store that is too busy for a flight gets it whole. */
  private static final int BUSY_TRIES = 8;

  private static final long SAY_NANOS = 60_000_000_000L;

  private static final long COMMIT_NANOS = 1_000_000_000;

  /** How long what is on its way may take to land before its partition is given to others. */
  private static final long LANDING_NANOS = 3_000_000_000L;

  /** Of records fetched and not stored, in all partitions of all consumers of this process. */
  private static final long HELD_BYTES_MAX = 64 << 20;

  private final Consumer<ByteBuffer, ByteBuffer> consumer;
  private final KafkaOptions options;
  private final IngestService ingest;
  private final DeadLetters deadLetters;
  private final KafkaMeters meters;
  private final MissingTopics topics;
  private final BrokerRefusals refusals;
  private final StartOffsets starts;
  private final OffsetCommits commits;
  private final PartitionLag lag;
  private final ArenaPool spares;
  private final Map<TopicPartition, PartitionFlow> flows = new HashMap<>();

  /** What flights that have landed, or failed, leave to be done by the loop. */
  private final BlockingQueue<Runnable> landings = new LinkedBlockingQueue<>();

  private long committedNanos = System.nanoTime();
  private boolean storeFails;

  /** When it was said last that the store refuses records for good. */
  private @Nullable Long saidNanos;

  private volatile boolean stopping;
  private volatile List<PartitionStatus> status = List.of();
  private volatile @Nullable String stuck;

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
    this.topics = new MissingTopics(consumer, options.topics().names());
    this.refusals =
        new BrokerRefusals(consumer, flows, options.group(), ClientSettings.metadataAge(options));
    this.starts = new StartOffsets(consumer, flows, meters);
    this.commits = new OffsetCommits(consumer, flows, meters, refusals);
    this.lag = new PartitionLag(consumer);
    this.spares = new ArenaPool(options.consumers());
  }

  /**
   * Consumes until told to stop; then lets land what flies, and commits.
   *
   * @throws RuntimeException if the client cannot go on
   */
  void run() {
    if (options.topics().hasPatterns()) {
      consumer.subscribe(options.topics().pattern(options.deadLetters()), this);
    } else {
      consumer.subscribe(options.topics().names(), this);
    }
    while (!stopping) {
      turn();
    }
    onPartitionsRevoked(List.copyOf(flows.keySet())); // once: closing finds none to wait for
  }

  /** One turn of the loop. */
  void turn() {
    try {
      work();
    } catch (TopicAuthorizationException e) { // of a poll, or of what came in with another call
      refusals.refused(e);
    } catch (AuthorizationException e) {
      log.debug("refused", e);
      refusals.refusedAll(e);
    } catch (KafkaException e) {
      if (!refusals.broken(e)) {
        throw e;
      }
      log.error("a partition cannot be read on, and is left alone for a while", e);
    }
  }

  private void work() {
    if (refusals.areAllRefused(System.nanoTime())) {
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
      commits.begin();
      refusals.askAgainIfDue(now);
      lag.askIfDue(paused(), now);
      tell();
      topics.lookIfDue(now);
    }
  }

  /** Ends the loop soon. From any thread. */
  void stop() {
    stopping = true;
    consumer.wakeup();
  }

  /** How far each partition was about a second ago. From any thread. */
  List<PartitionStatus> status() {
    return status;
  }

  /** What of the topics is not consumed now, for a person, or null. From any thread. */
  @Nullable String topicProblem() {
    String problem =
        Stream.of(topics.problem(), refusals.problem(), stuck)
            .filter(Objects::nonNull)
            .collect(Collectors.joining("; "));
    return problem.isEmpty() ? null : problem;
  }

  private ConsumerRecords<ByteBuffer, ByteBuffer> poll() {
    try {
      boolean busy = flows.values().stream().anyMatch(flow -> !flow.isEmpty());
      return consumer.poll(busy ? BUSY : IDLE);
    } catch (NoOffsetForPartitionException e) {
      starts.begin(e.partitions());
    } catch (LogTruncationException e) {
      starts.goOnBehindCut(e);
    } catch (OffsetOutOfRangeException e) {
      starts.goOnFromEarliest(e.offsetOutOfRangePartitions());
    } catch (WakeupException e) {
      log.debug("woken up to stop");
    } catch (RetriableException e) {
      log.warn("polling failed, and is tried again: {}", e.toString());
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
    flight.begin();
    if (flight.batch().size() == 0) {
      flight.landed();
      flow.settle();
      return;
    }
    CompletionStage<Verdicts> landing;
    try {
      landing = ingest.ingest(flight.batch()).thenCompose(verdicts -> told(flight, verdicts));
    } catch (RuntimeException | StackOverflowError e) {
      landing = CompletableFuture.failedFuture(e);
    }
    landing.whenComplete(
        (verdicts, failure) -> landings.add(() -> landed(flow, flight, verdicts, failure)));
  }

  /** The records of which the verdicts say that no event can be made of them are sent on. */
  private CompletionStage<Verdicts> told(Flight flight, Verdicts verdicts) {
    CompletableFuture<?>[] letters =
        verdicts.errors().stream()
            .map(error -> letter(flight, error))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(letters).thenApply(sent -> verdicts);
  }

  private CompletableFuture<Void> letter(Flight flight, ItemError error) {
    if (flight.sentOn().contains(error.index())) {
      return CompletableFuture.completedFuture(null); // before the flight was tried again
    }
    return deadLetters
        .send(flight.record(error.index()), error.reason())
        .thenRun(() -> flight.sentOn().add(error.index()))
        .toCompletableFuture();
  }

  private void landed(
      PartitionFlow flow, Flight flight, @Nullable Verdicts verdicts, @Nullable Throwable failure) {
    if (flow.isGivenUp()) {
      return;
    }
    if (verdicts != null && failure == null) {
      storeFails = false;
      meters.records(flow.partition().topic(), "accepted", verdicts.accepted());
      meters.records(flow.partition().topic(), "rejected", verdicts.rejected());
      flight.landed();
      flow.settle();
      return;
    }
    failed(flow, flight, StoreFailure.unwrap(Objects.requireNonNull(failure)));
  }

  private void failed(PartitionFlow flow, Flight flight, Throwable failure) {
    long now = System.nanoTime();
    meters.retried();
    boolean isOfRecords = StoreFailure.isOfRecords(failure);
    flight.failed(now, isOfRecords);
    boolean isOneRecord = flight.batch().size() == 1;
    if (isOfRecords && flight.refusals() >= REFUSALS) {
      if (isOneRecord) {
        refuse(flow, flight, failure);
      } else {
        flow.halve(flight, now);
      }
      return;
    }
    if (!isOfRecords
        && !isOneRecord
        && flight.failures() % BUSY_TRIES == 0
        && failure instanceof OverloadedException) {
      flow.halve(flight, now); // less may fit
      return;
    }
    if (!storeFails && flight.failures() == 1) { // not for each try
      storeFails = true;
      log.warn("{}: not stored, tries again: {}", flow.partition(), failure.toString());
    }
  }

  /** The store never takes this record, and takes others: it is sent on, and they go on. */
  private void refuse(PartitionFlow flow, Flight flight, Throwable failure) {
    flight.begin(); // it is on its way to another topic
    long now = System.nanoTime();
    if (saidNanos == null || now - saidNanos >= SAY_NANOS) { // not for each record of many
      saidNanos = now;
      log.error(
          "{}@{}: the store never takes it; it is sent on, as others like it are: {}",
          flow.partition(),
          flight.batch().offset(0),
          failure.toString());
    }
    deadLetters
        .send(flight.record(0), "not stored: " + failure)
        .whenComplete((sent, unsent) -> landings.add(() -> refused(flow, flight, unsent)));
  }

  private void refused(PartitionFlow flow, Flight flight, @Nullable Throwable unsent) {
    if (flow.isGivenUp()) {
      return;
    }
    if (unsent != null) {
      flight.failed(System.nanoTime(), true); // of the letter; the record stays refused
      return;
    }
    meters.refused();
    meters.records(flow.partition().topic(), "rejected", 1);
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

  /**
   * @param allFull whether all partitions together hold too much
   * @param allHaveRoom whether they hold so little that they may be fetched from again
   */
  private void pauseOrResume(PartitionFlow flow, boolean allFull, boolean allHaveRoom) {
    boolean idle = flow.heldBytes() == 0; // it is not to wait for those that are stuck
    if (flow.isPaused()
        ? flow.hasRoom() && (allHaveRoom || idle)
        : flow.isFull() || allFull && !idle) {
      boolean pause = !flow.isPaused();
      flow.setPaused(pause);
      if (pause) {
        meters.paused();
        consumer.pause(List.of(flow.partition()));
      } else {
        consumer.resume(List.of(flow.partition()));
      }
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      log.info("consumes {} from now on", partitions);
      partitions.forEach(this::flow);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    land(partitions);
    commits.finish(partitions);
    letGo(partitions);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    log.warn(
        "{} are another member's: this one was not heard of for too long; what it has not committed"
            + " is read again there, and changes nothing",
        partitions);
    letGo(partitions);
  }

  private void letGo(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      PartitionFlow flow = flows.remove(partition);
      if (flow != null) {
        flow.giveUp();
      }
    }
    tell();
  }

  /** Waits a while until nothing of some partitions is on its way. */
  private void land(Collection<TopicPartition> partitions) {
    long untilNanos = System.nanoTime() + LANDING_NANOS;
    List<PartitionFlow> leaving =
        partitions.stream().map(flows::get).filter(Objects::nonNull).toList();
    boolean lands = true; // what does not is read again by whoever has it next
    while (lands && leaving.stream().anyMatch(PartitionFlow::isFlying)) {
      lands = runNextLanding(untilNanos - System.nanoTime());
    }
  }

  /** Waits for the next flight to land; false if none did. */
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

  private List<TopicPartition> paused() {
    return flows.values().stream()
        .filter(PartitionFlow::isPaused)
        .map(PartitionFlow::partition)
        .toList();
  }

  private void tell() {
    List<PartitionFlow> waiting = flows.values().stream().filter(PartitionFlow::isStuck).toList();
    stuck =
        waiting.isEmpty()
            ? null
            : "the store does not take the records of "
                + waiting.stream()
                    .map(flow -> flow.partition().toString())
                    .sorted()
                    .collect(Collectors.joining(", "));
    status =
        flows.values().stream()
            .map(
                flow ->
                    new PartitionStatus(
                        flow.partition().topic(),
                        flow.partition().partition(),
                        flow.committedOffset(),
                        lag.of(flow),
                        flow.held(),
                        flow.isPaused()))
            .toList();
  }
}
