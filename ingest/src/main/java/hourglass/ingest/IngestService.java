package hourglass.ingest;

import hourglass.bucketing.ShardPolicy;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ColumnNamer;
import hourglass.ingest.decode.DecodeLimits;
import hourglass.ingest.decode.EventDecoder;
import hourglass.ingest.decode.ItemCursor;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.decode.RecordBatch;
import hourglass.ingest.rows.PendingBatch;
import hourglass.ingest.rows.PendingWrite;
import hourglass.ingest.rows.RowPlacement;
import hourglass.store.OverloadedException;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Brings events to the store: decode, validate, name, assign to rows, write. Transports are thin
 * layers around it. Thread-safe.
 */
public final class IngestService {
  /** The client of all decoded events in the in-flight budget. */
  private static final String DECODING = "decoding";

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final WideColumnStore store;
  private final ShardPolicy shards;
  private final RowPlacement rows;
  private final TimeUuidGenerator names;
  private final IngestOptions options;
  private final Executor workers;
  private final InFlightBudget inFlight;
  private final IngestMeters meters;
  private final RejectLedger rejects = new RejectLedger();
  private final ThreadLocal<EventDecoder> decoders;

  /**
   * @param shards fixes the rows of some types
   * @param planner options for all other types
   * @param names numbers events without an identity, and is the clock of receipt
   * @param workers decode the rest of a large body after its first write
   */
  public IngestService(
      WideColumnStore store,
      ShardPolicy shards,
      PlannerOptions planner,
      TimeUuidGenerator names,
      IngestOptions options,
      Executor workers,
      MeterRegistry registry) {
    this.store = store;
    this.shards = shards;
    this.rows =
        new RowPlacement(store, planner, names.clock(), System::nanoTime, workers, registry);
    this.names = names;
    this.options = options;
    this.workers = workers;
    this.inFlight =
        new InFlightBudget(options.maxInFlightBytes(), largeMax(options), System::nanoTime);
    this.meters = new IngestMeters(registry, inFlight);
    this.decoders = ThreadLocal.withInitial(() -> decoder(options));
  }

  private static EventDecoder decoder(IngestOptions options) {
    return new EventDecoder(
        new DecodeLimits(
            options.acceptLate(),
            options.acceptEarly(),
            options.maxEventBytes(),
            options.maxNesting(),
            options.retention()));
  }

  /** An eighth is kept for small requests, as far as the largest body allows. */
  private static long largeMax(IngestOptions options) {
    long max = options.maxInFlightBytes();
    return Math.max(
        max - max / 8, Math.min(max, IngestOptions.inFlightBytesMin(options.maxBodyBytes())));
  }

  public IngestOptions options() {
    return options;
  }

  /** The budget of all bodies. */
  public InFlightBudget inFlight() {
    return inFlight;
  }

  /** All rejections since the start. */
  public RejectLedger rejects() {
    return rejects;
  }

  /** Counts a request that a transport cannot turn into events, as one event without a type. */
  public Verdicts refuse(Reason reason, String problem) {
    meters.rejected(reason);
    rejects.record(null, reason, problem, names.nowTicks(), new byte[0], 0, 0);
    return new Verdicts(0, 1, 0, List.of(new Verdicts.ItemError(0, problem)));
  }

  /**
   * Decodes a body on the calling thread and writes its events.
   *
   * @return completes when all accepted events are durable; fails as the store does, or with {@link
   *     OverloadedException} if the in-flight budget is full
   */
  public CompletionStage<Verdicts> ingest(IngestRequest request) {
    Body body = request.body();
    return ingest(
        ItemCursor.of(body, request.format(), request.mapping()),
        ColumnNamer.ofRequest(body, request.idempotencyKey(), names),
        options.errorsListedMax(),
        0);
  }

  /**
   * Like {@link #ingest(IngestRequest)}; the verdicts list every rejected record by its place in
   * the batch.
   */
  public CompletionStage<Verdicts> ingest(RecordBatch records) {
    return ingest(
        ItemCursor.of(records),
        ColumnNamer.ofRecords(records),
        Integer.MAX_VALUE, // each one becomes a dead letter
        records.bytes());
  }

  /**
   * @param heldBytes memory of the items that is not reserved yet
   */
  private CompletionStage<Verdicts> ingest(
      ItemCursor items, ColumnNamer namer, int errorsListedMax, long heldBytes) {
    InFlightBudget.Reservation reservation = inFlight.reservation(DECODING);
    long batchBytes = Math.min(2L * items.length(), 2L * IngestOptions.WRITE_BYTES_MAX);
    if (!reservation.add(heldBytes + batchBytes)) {
      return CompletableFuture.failedFuture(
          new OverloadedException("too many bytes in flight", RETRY_AFTER));
    }
    meters.body(items.length());
    IngestRun run = new IngestRun(items, namer, errorsListedMax, meters, rejects);
    CompletionStage<Verdicts> verdicts;
    try {
      verdicts = step(run);
    } catch (RuntimeException e) {
      verdicts = CompletableFuture.failedFuture(e);
    }
    return verdicts.whenComplete((done, failure) -> reservation.release());
  }

  private CompletionStage<Verdicts> step(IngestRun run) {
    PendingWrite write = run.decode(decoders.get(), shards, names.nowTicks());
    if (write.isEmpty()) {
      return CompletableFuture.completedFuture(run.verdicts());
    }
    CompletionStage<Void> written = write(write);
    if (run.isDone()) {
      return written.thenApply(
          nothing -> {
            run.stored(write);
            return run.verdicts();
          });
    }
    return written.thenComposeAsync(
        nothing -> {
          run.stored(write);
          return step(run);
        },
        workers);
  }

  private CompletionStage<Void> write(PendingWrite write) {
    List<PendingBatch> pending = write.pending();
    if (pending.isEmpty()) {
      return store.write(write.mutations());
    }
    return rows.place(pending)
        .thenCompose(
            placed ->
                store
                    .write(write.placed())
                    .whenComplete(
                        (written, failure) -> {
                          if (failure != null) {
                            rows.failed(pending, isOverloaded(failure));
                          }
                        }));
  }

  /** Whether nothing was written for certain. */
  private static boolean isOverloaded(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof OverloadedException;
  }
}
