package hourglass.ingest.kafka;

import hourglass.ingest.kafka.KafkaMeters.Count;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import hourglass.ingest.service.Verdicts.ItemError;
import hourglass.store.UnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings flights into the store, and rejected records to the dead-letter topics. Used by the poll
 * loop alone, on which also ends all that it starts.
 */
final class FlightStore {
  private static final Logger logger = LoggerFactory.getLogger(FlightStore.class);

  private static final long LOG_INTERVAL_NANOS = 60_000_000_000L;

  private final IngestService ingest;
  private final DeadLetters deadLetters;
  private final KafkaMeters meters;
  private final Executor loop;
  private boolean isFailing;

  /** The time of the last message about a refused record. */
  private @Nullable Long loggedNanos;

  /** Creates a store that ends writes on {@code loop}. */
  FlightStore(IngestService ingest, DeadLetters deadLetters, KafkaMeters meters, Executor loop) {
    this.ingest = ingest;
    this.deadLetters = deadLetters;
    this.meters = meters;
    this.loop = loop;
  }

  /** Returns the size above which a record is rejected unread. */
  int eventBytesMax() {
    return ingest.options().maxEventBytes();
  }

  /** Runs a task on the loop, after a pause. */
  void later(long millis, Runnable task) {
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, loop).execute(task);
  }

  /** Writes a flight. Completes when each record is stored, or is a sent dead letter. */
  CompletionStage<?> write(PartitionFlow flow, Flight flight) {
    return ingest
        .ingest(flight.batch)
        .thenCompose(verdicts -> sendRejected(flight, verdicts))
        .whenCompleteAsync(
            (verdicts, failure) -> {
              if (failure == null && !flow.isClosed()) {
                isFailing = false;
                meters.records(flow.partition.topic(), "accepted", verdicts.accepted());
                meters.records(flow.partition.topic(), "rejected", verdicts.rejected());
              }
            },
            loop);
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
        .exceptionally(
            failure -> { // the record is not at fault
              throw new UnavailableException("a dead letter could not be sent", failure);
            })
        .thenRun(() -> flight.lettersSent.add(error.index()))
        .toCompletableFuture();
  }

  /** Sends the only record of a flight, which the store refuses for good, as a dead letter. */
  CompletionStage<?> reject(PartitionFlow flow, Flight flight, Throwable failure) {
    long now = System.nanoTime();
    if (loggedNanos == null || now - loggedNanos >= LOG_INTERVAL_NANOS) { // not for each record
      loggedNanos = now;
      logger.error(
          "{}@{}: the store refuses it for good; it becomes a dead letter, as others like it: {}",
          flow.partition,
          flight.batch.offset(0),
          failure.toString());
    }
    return deadLetters
        .send(flight.record(0), "not stored: " + failure)
        .whenCompleteAsync(
            (sent, unsent) -> {
              if (unsent == null && !flow.isClosed()) {
                meters.count(Count.REFUSED);
                meters.records(flow.partition.topic(), "rejected", 1);
              }
            },
            loop);
  }

  /** Counts a failed try, the first or a later one in a row, and logs the first. */
  void failed(PartitionFlow flow, Throwable failure, int failures) {
    meters.count(Count.RETRIES);
    if (!isFailing && failures == 1) { // once, not for each try
      isFailing = true;
      logger.warn("{}: not stored, will try again: {}", flow.partition, failure.toString());
    }
  }
}
