package hourglass.ingest.syslog;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.bucketing.Ticks;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Memory;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.decode.StreamBatch;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.stream.BatchPump;
import hourglass.ingest.stream.ClientBatch;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings messages into the store, for all listeners. Messages that the store refuses for good are
 * rejected and counted. Thread-safe.
 */
final class MessageStore implements BatchPump.Sink<ClientBatch> {
  private static final Logger logger = LoggerFactory.getLogger(MessageStore.class);

  /**
   * The rules of messages. No field of a payload overrides the header of its message, and no
   * message is refused.
   */
  private static final ItemRules RULES =
      new ItemRules(FieldMapping.NONE, MessageParser.DEFAULT_TYPE, true, null, IdentityRule.NONE);

  /**
   * The divisor of the in-flight budget that gives each of two shares: for bytes that are not
   * framed, and for events of batches.
   */
  private static final int SHARE = 8;

  /** The limit of one batch, which the budget keeps far smaller. */
  private static final int BATCH_BYTES_MAX = 1 << 30;

  /** The most writes under way: while one waits for the disk, the next are made. */
  private static final int WRITES_MAX = 3;

  /** The longest time until a pause notices that the process ends. */
  private static final long NAP_MILLIS = 250;

  private final IngestService ingest;
  private final Executor workers;
  private final BatchPump.Delay delay;
  private final Clock clock;
  private final ThreadLocal<MessageParser> parsers;
  private final WriteOutcomes outcomes = new WriteOutcomes();
  private volatile boolean isEnding;
  final Set<MessageFlow> flows = ConcurrentHashMap.newKeySet();
  final HeldMemory bytes;
  final HeldMemory batches;
  private final ConversionLimits limits;
  final SyslogMeters meters;

  MessageStore(
      IngestService ingest,
      Executor workers,
      BatchPump.Delay delay,
      Clock clock,
      Supplier<MessageParser> parsers,
      MeterRegistry registry) {
    this.ingest = ingest;
    this.workers = workers;
    this.delay = delay;
    this.clock = clock;
    this.parsers = ThreadLocal.withInitial(parsers);
    long share = ingest.options().maxInFlightBytes() / SHARE;
    bytes = new HeldMemory(ingest.inFlight(), share);
    batches = new HeldMemory(ingest.inFlight(), share);
    int messageBytesMax = ingest.options().maxEventBytes();
    limits =
        new ConversionLimits(
            messageBytesMax, BATCH_BYTES_MAX, messageBytesMax, ingest.options().maxNesting());
    meters = new SyslogMeters(registry, () -> bytes.used() + batches.used());
  }

  /** Returns the size at which a message is cut. */
  int messageBytesMax() {
    return limits.eventBytesMax();
  }

  /** Runs a task on a worker. Returns false, with nothing done, once the process ends. */
  boolean run(Runnable task) {
    try {
      workers.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      logger.debug("the process ends", e);
      return false;
    }
  }

  void later(long millis, Runnable task) {
    delay.run(millis, task);
  }

  /** Runs a task after a pause, as {@link #later} does, but soon after {@link #end}. */
  void pause(long millis, Runnable task) {
    later(
        Math.min(millis, NAP_MILLIS),
        () -> {
          if (millis > NAP_MILLIS && !isEnding) {
            pause(millis - NAP_MILLIS, task);
          } else {
            task.run();
          }
        });
  }

  /** Notes that the process ends, and nothing more is read. Limits would only lose messages now. */
  void end() {
    isEnding = true;
  }

  /**
   * The messages that were read and are neither stored nor rejected, as far as the store has
   * answered.
   *
   * @param bytes bytes that are not divided into messages yet
   */
  record Pending(long messages, long bytes) {}

  Pending pending() {
    return new Pending(
        outcomes.pending(), flows.stream().mapToLong(MessageFlow::undividedBytes).sum());
  }

  /** Returns the client with the limits that apply now. */
  Client limited(Client client) {
    return isEnding ? client.withoutLimits() : client;
  }

  /** Returns the parser of the calling thread, for messages that are received now. */
  MessageParser parser() {
    MessageParser parser = parsers.get();
    parser.now(Ticks.of(clock.instant()));
    return parser;
  }

  /** Returns an empty list of events for a batch. */
  ConvertedEvents events(Memory memory, int likelyBytes) {
    return new ConvertedEvents(memory, likelyBytes, limits);
  }

  /** Returns a pump that writes the batches of one flow. */
  BatchPump<ClientBatch> pump() {
    return new BatchPump<>(this, this::pause, BatchPump.Pauses.DEFAULTS, WRITES_MAX);
  }

  /** Receives messages now. {@code onEnd} runs, on any thread, when each is stored or rejected. */
  ClientBatch receive(ConvertedEvents events, Client client, Runnable onEnd) {
    outcomes.begun(events.size());
    return new ClientBatch(ingest.receive(events, RULES), client, onEnd);
  }

  @Override
  public int size(ClientBatch batch) {
    return batch.size();
  }

  @Override
  public List<ClientBatch> halves(ClientBatch batch) {
    return batch.halves();
  }

  @Override
  public CompletionStage<?> write(ClientBatch batch) {
    return CompletableFuture.completedFuture(batch.events())
        .thenComposeAsync(events -> ingest.ingest(events, limited(batch.client())), workers);
  }

  @Override
  public CompletionStage<?> reject(ClientBatch batch, Throwable failure) {
    StreamBatch refused = batch.events().refused(Reason.NOT_STORABLE, "not stored: " + failure);
    return CompletableFuture.completedFuture(refused)
        .thenComposeAsync(events -> ingest.ingest(events, limited(batch.client())), workers)
        .thenRun(() -> outcomes.rejected(failure));
  }

  @Override
  public void done(ClientBatch batch) {
    outcomes.done(batch.size());
    batch.onEnd().run();
  }

  /**
   * Returns false: messages have their own times, so one that cannot be stored holds back no
   * others.
   */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public boolean goesOn(ClientBatch batch, Throwable failure, int failures) {
    meters.retries.increment();
    outcomes.failed(failure);
    return true;
  }

  static long millisOf(LimitExceededException limit) {
    return TimeUnit.SECONDS.toMillis(limit.retryAfterSeconds());
  }
}
