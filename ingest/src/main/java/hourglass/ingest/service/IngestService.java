package hourglass.ingest.service;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.LimitExceededException;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.ColumnNamer;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.EventDecoder;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemCursor;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Memory;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.decode.RecordBatch;
import hourglass.ingest.decode.StreamBatch;
import hourglass.ingest.service.Verdicts.ItemError;
import hourglass.store.OverloadedException;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Decodes, validates and names events, and writes them into rows. Thread-safe. */
public final class IngestService {
  /** The client that stands for all decoded events in the in-flight budget. */
  private static final String DECODING = "decoding";

  /**
   * The client of all records of topics. Its limits are open, since nobody waits for an answer to a
   * record.
   */
  private static final Client TOPICS = Client.open("topics");

  private final FixedShards shards;
  private final RowPlacement rows;
  private final TimeUuidGenerator names;
  private final IngestOptions options;
  private final FairExecutor workers;
  private final InFlightBudget inFlight;
  private final IngestMeters meters;
  private final RejectLedger rejects = new RejectLedger();
  private final ThreadLocal<WriteDecoder.Kept> kept;

  /**
   * Creates the service. It fixes the rows of some types by {@code shards}, and plans all others.
   * The clock of {@code names} gives the times of receipt. The {@code workers} decode the rest of a
   * large body after its first write.
   */
  public IngestService(
      WideColumnStore store,
      FixedShards shards,
      PlannerOptions planner,
      TimeUuidGenerator names,
      IngestOptions options,
      FairExecutor workers,
      MeterRegistry registry) {
    this.shards = shards;
    this.rows =
        new RowPlacement(store, planner, names.clock(), System::nanoTime, workers, registry);
    this.names = names;
    this.options = options;
    this.workers = workers;
    this.inFlight =
        new InFlightBudget(options.maxInFlightBytes(), largeMax(options), System::nanoTime);
    this.meters = new IngestMeters(registry, inFlight);
    EventDecoder.Limits limits =
        new EventDecoder.Limits(
            options.acceptLate(),
            options.acceptEarly(),
            options.maxEventBytes(),
            options.maxNesting(),
            options.retention()::forType);
    this.kept =
        ThreadLocal.withInitial(
            () -> new WriteDecoder.Kept(new EventDecoder.Kept(limits), new WriteBuilder.Sizes()));
  }

  /**
   * Returns the limit for large requests. An eighth of the budget is kept for small ones, as far as
   * the largest body allows.
   */
  private static long largeMax(IngestOptions options) {
    long max = options.maxInFlightBytes();
    return Math.max(
        max - max / 8, Math.min(max, IngestOptions.inFlightBytesMin(options.maxBodyBytes())));
  }

  public IngestOptions options() {
    return options;
  }

  public InFlightBudget inFlight() {
    return inFlight;
  }

  public List<Rejects> rejects() {
    return rejects.list();
  }

  /** Counts a request that a transport cannot turn into events, as one event without a type. */
  public Verdicts refuse(Reason reason, String problem) {
    refuse(reason, problem, 1);
    return new Verdicts(0, 1, 0, 0, List.of(new ItemError(0, problem)));
  }

  /** Counts records that become no events, all for one reason, without their bytes as a sample. */
  public void refuse(Reason reason, String problem, long records) {
    meters.rejected(reason, records);
    rejects.record(null, reason, problem, records, names.nowTicks());
  }

  /**
   * Decodes a body on the calling thread and writes its events. In a trial, the events are decoded
   * and judged, but neither stored nor counted.
   *
   * @param rules how the items become events
   * @param idempotencyKey identifies events without an id, with the body's digest and their
   *     position; with {@link IdentityRule#BODY} only those with a time, and with {@link
   *     IdentityRule#PLACE} without the digest
   * @param client the sender; events of types that it may not push are rejected
   * @param report gets the errors, in place of the verdicts; it has the same rules
   * @return completes when all accepted events are durable; fails as the store does, with {@link
   *     OverloadedException} if the in-flight budget is full, or with {@link
   *     LimitExceededException}; nothing is stored then
   */
  public CompletionStage<Verdicts> ingest(
      Body body,
      BodyFormat format,
      ItemRules rules,
      @Nullable String idempotencyKey,
      Client client,
      PushReport report) {
    return run(
        0,
        memory ->
            new Run(
                ItemCursor.of(body, format, rules, options.maxEventBytes(), memory),
                client,
                ColumnNamer.ofRequest(body, rules, idempotencyKey, body.length(), names, memory),
                names::nowTicks,
                rejected(options.errorsListedMax(), null, report),
                report));
  }

  private RejectedItems rejected(
      int listedMax, @Nullable Memory memory, @Nullable PushReport report) {
    return new RejectedItems(rejects, meters, listedMax, memory, report);
  }

  /**
   * Writes the events that a protocol made of a body, and lists every one that is rejected.
   *
   * @param body the body as it was sent, unpacked
   * @param key a key that identifies the events with the body, for {@link IdentityRule#BODY}
   * @return as for {@link #ingest(Body, BodyFormat, ItemRules, String, Client, PushReport)}
   */
  public CompletionStage<Verdicts> ingest(
      ConvertedEvents events, Body body, ItemRules rules, String key, Client client) {
    String keyOfBody = rules.identity() == IdentityRule.BODY ? key : null;
    return run(
        0,
        memory ->
            new Run(
                events.items(rules),
                client,
                ColumnNamer.ofRequest(body, rules, keyOfBody, events.bytes(), names, memory),
                names::nowTicks,
                rejected(Integer.MAX_VALUE, events.memory(), null),
                null));
  }

  /**
   * Writes the events of records. It lists every rejected record by its place in the batch, since
   * each becomes a dead letter.
   */
  public CompletionStage<Verdicts> ingest(RecordBatch records) {
    return run(
        records.bytes(),
        memory ->
            new Run(
                records.items(),
                TOPICS,
                ColumnNamer.ofRecords(records),
                names::nowTicks,
                rejected(Integer.MAX_VALUE, null, null),
                null));
  }

  /** Receives events now, which {@link #ingest(StreamBatch, Client)} writes later. */
  public StreamBatch receive(ConvertedEvents events, ItemRules rules) {
    return new StreamBatch(events, rules, names.nowTicks(), names.reserve(events.size()));
  }

  /**
   * Writes events of a stream. A failed write may be repeated, until the events are stored.
   *
   * @return as for {@link #ingest(Body, BodyFormat, ItemRules, String, Client, PushReport)}
   */
  public CompletionStage<Verdicts> ingest(StreamBatch batch, Client client) {
    return run(
        0,
        memory ->
            new Run(
                batch.items(),
                client,
                ColumnNamer.ofStream(batch),
                batch::receivedTicks,
                rejected(options.errorsListedMax(), null, null),
                null));
  }

  /**
   * Opens an input, and decodes and writes it. Its memory is released on every way out.
   *
   * @param heldBytes memory that the input holds and has not reserved yet
   */
  private CompletionStage<Verdicts> run(long heldBytes, Function<Memory, Run> opening) {
    InFlightBudget.Reservation memory = inFlight.reservation(DECODING);
    CompletionStage<Verdicts> verdicts;
    try {
      Run run = opening.apply(memory);
      memory.reserve(
          heldBytes + Math.min(2 * run.decoder.eventBytes(), 2L * IngestOptions.WRITE_BYTES_MAX));
      if (!run.isTrial) {
        meters.bytes.increment(run.decoder.length());
      }
      verdicts = run.step();
    } catch (RuntimeException | Error e) { // else what was reserved stays so
      verdicts = CompletableFuture.failedFuture(e);
    }
    return verdicts.whenComplete((done, failure) -> memory.release());
  }

  /** One input, in one or more writes. */
  private final class Run {
    private final WriteDecoder decoder;
    private final Client client;
    private final LongSupplier received;
    private final RejectedItems rejected;
    private final boolean isTrial;

    private @Nullable Executor lane;
    private int accepted;
    private int untimed;
    private boolean isBegun;

    private Run(
        ItemCursor items,
        Client client,
        ColumnNamer namer,
        LongSupplier received,
        RejectedItems rejected,
        @Nullable PushReport report) {
      this.decoder = new WriteDecoder(shards, items, client, namer, rejected, report);
      this.client = client;
      this.received = received;
      this.rejected = rejected;
      this.isTrial = report != null && report.isTrial();
    }

    private CompletionStage<Verdicts> step() {
      PendingWrite write = decoder.next(kept.get(), received.getAsLong());
      if (write.events() == 0) {
        rejected.release();
        return CompletableFuture.completedFuture(verdicts());
      }
      CompletionStage<Void> written =
          writeInTurn(write)
              .thenRun(
                  () -> {
                    rejected.release();
                    accepted += write.events();
                    untimed += write.untimed();
                    if (!isTrial) {
                      meters.accepted.increment(write.events());
                    }
                  });
      return decoder.hasEnded()
          ? written.thenApply(nothing -> verdicts())
          : written.thenComposeAsync(nothing -> step(), lane());
    }

    /** Returns the lane of all further steps, which most inputs do not need. */
    private Executor lane() {
      if (lane == null) {
        lane = workers.lane(client.share());
      }
      return lane;
    }

    /**
     * Writes the events once the client's quota lets them pass. Whether and when a request passes
     * is decided before any of its events is stored.
     */
    private CompletionStage<Void> writeInTurn(PendingWrite write) {
      long waitNanos = 0;
      if (isTrial) {
        return CompletableFuture.completedFuture(null);
      }
      if (isBegun) {
        client.quota().oweEvents(write.events());
      } else if (inFlight.used() > options.maxInFlightBytes() / 2) {
        client.quota().takeEvents(write.events()); // others may need the memory
      } else {
        waitNanos = client.quota().reserveEvents(write.events());
      }
      isBegun = true;
      return waitNanos == 0
          ? rows.write(write, client.share())
          : new CompletableFuture<Void>()
              .completeOnTimeout(null, waitNanos, TimeUnit.NANOSECONDS)
              .thenComposeAsync(turn -> rows.write(write, client.share()), lane());
    }

    private Verdicts verdicts() {
      return new Verdicts(
          accepted, rejected.count(), rejected.notAllowed(), untimed, rejected.errors());
    }
  }
}
