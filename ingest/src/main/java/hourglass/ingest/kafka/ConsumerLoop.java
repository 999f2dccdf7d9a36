package hourglass.ingest.kafka;

import hourglass.ingest.kafka.KafkaMeters.Count;
import hourglass.ingest.kafka.KafkaMeters.PartitionStatus;
import hourglass.ingest.service.IngestService;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
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
 * One member of the group: it polls records, sends them to the store in flights, and commits the
 * offsets of landed flights. It never waits for the store, so it stays a member while the store is
 * away. One thread runs all of it, except {@link #stop}, {@link #status} and {@link #topicProblem}.
 */
final class ConsumerLoop implements ConsumerRebalanceListener {
  private static final Logger logger = LoggerFactory.getLogger(ConsumerLoop.class);

  private static final Duration IDLE = Duration.ofMillis(200);

  /** The wait of a poll while flights are under way. Landings are seen between polls. */
  private static final Duration BUSY = Duration.ofMillis(20);

  /** The longest wait for flights before their partition is given up. */
  private static final long LANDING_NANOS = 3_000_000_000L;

  /** The most bytes of unstored records in all partitions and consumers of this process. */
  private static final long HELD_BYTES_MAX = 64 << 20;

  /** The client. Threads other than the loop may only read its metrics. */
  final Consumer<ByteBuffer, ByteBuffer> consumer;

  private final KafkaOptions options;
  private final FlightStore store;
  private final KafkaMeters meters;
  private final TopicProblems problems;
  private final StartOffsets starts;
  private final OffsetCommits commits;
  private final PartitionProgress progress;
  private final ArenaPool spares;
  private final Map<TopicPartition, PartitionFlow> flows = new HashMap<>();

  /** The work that follows when flights have landed or failed, or their pauses have ended. */
  private final BlockingQueue<Runnable> landings = new LinkedBlockingQueue<>();

  private volatile boolean stopping;

  ConsumerLoop(
      Consumer<ByteBuffer, ByteBuffer> consumer,
      KafkaOptions options,
      IngestService ingest,
      DeadLetters deadLetters,
      KafkaMeters meters) {
    this.consumer = consumer;
    this.options = options;
    this.store = new FlightStore(ingest, deadLetters, meters, landings::add);
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
    flows.values().forEach(PartitionFlow::write);
    pauseAndResume();
    long now = System.nanoTime();
    if (commits.startIfDue(now)) {
      problems.update(now);
      progress.update(now);
    }
  }

  /** Ends the loop soon. Thread-safe. */
  void stop() {
    stopping = true;
    consumer.wakeup();
  }

  /** Returns the progress of the partitions about a second ago. Thread-safe. */
  List<PartitionStatus> status() {
    return progress.status();
  }

  /** Returns why records are not consumed, for an operator; or null. Thread-safe. */
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
        of, key -> new PartitionFlow(key, options.mapping(key.topic()), spares, store));
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
   * Pauses or resumes a partition. Both flags concern the bytes that all partitions together hold.
   */
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
    for (TopicPartition partition : partitions) {
      PartitionFlow flow = flows.remove(partition);
      if (flow != null) {
        flow.close();
      }
    }
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

  /** Runs the next landing. Returns false if there is none in time. */
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
