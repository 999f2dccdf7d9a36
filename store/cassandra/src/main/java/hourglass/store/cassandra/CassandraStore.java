package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import hourglass.access.Failures;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.ColumnCounter;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Limitation;
import hourglass.store.Manifest;
import hourglass.store.Mutation;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.DriverFailures;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.driver.Nodes;
import hourglass.store.cassandra.driver.RequestWindow;
import hourglass.store.cassandra.late.LateArrivalRecorder;
import hourglass.store.cassandra.late.SlotReader;
import hourglass.store.cassandra.rows.CqlValues;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.cassandra.rows.SealReplacedException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine on Apache Cassandra. An acknowledged column is on as many nodes as the consistency
 * level requires; later reads find it, in any process. Thread-safe; any number of processes may
 * share a keyspace.
 */
public final class CassandraStore implements WideColumnStore {
  /** Limit of queued reads; each later returns some hundred KB. */
  private static final int READS_WAITING_MAX = 10_000;

  /** Some writes of the smallest events; of one process, some hundred bytes each. */
  private static final int FIRST_TIMES_WAITING_MAX = 100_000;

  /** How often a row may be sealed again during one read. */
  private static final int REPLACED_MAX = 3;

  private static final Duration FIRST_ATTEMPT_WAIT = Duration.ofSeconds(10);

  /** Health probes wait at least two seconds. */
  private static final Duration CHECK_WAIT = Duration.ofMillis(1_500);

  private final CassandraOptions options;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final StoreMetrics metrics;
  private final RequestWindow reads;
  private final RequestWindow writes;
  private final RequestWindow firstTimes;
  private final ExecutorService readers;
  private final Connection connection;
  private final HourStates hours;
  private final OwnRows ownRows;
  private final Directory directory;
  private final Claims claims;
  private final SlotReader lateArrivals;
  private final Writer writer;
  private final Dropper dropper;
  private final Housekeeping housekeeping;

  /** Within that, nobody deletes what a look-up names, which may be {@code trustFor} old itself. */
  private final long readMaxNanos;

  private volatile boolean closed;

  private CassandraStore(
      CassandraOptions options, Clock clock, LongSupplier nanoTime, MeterRegistry meters) {
    this.options = options;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.metrics = new StoreMetrics(meters);
    this.readMaxNanos = options.replaceGrace().minus(options.trustFor()).toNanos();
    // Writer bounds the bytes of writes, so their queue needs no limit.
    this.reads = new RequestWindow("reads", options.requestsMax(), READS_WAITING_MAX);
    this.writes = new RequestWindow("writes", options.requestsMax(), Integer.MAX_VALUE);
    this.firstTimes =
        new RequestWindow("first times", options.requestsMax(), FIRST_TIMES_WAITING_MAX);
    this.readers =
        Executors.newFixedThreadPool(
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            new DaemonThreads("hourglass-cassandra-reader"));
    this.hours = hourStates(Tables::hours);
    this.ownRows =
        new OwnRows(clock, options.publishAge(), options.sealAfter().dividedBy(2), this::publish);
    this.directory =
        new Directory(hours, ownRows, clock, nanoTime, options.trustFor(), options.sealAfter());
    this.claims = new Claims(hourStates(tables -> tables.claimLane().hours()), directory);
    Function<String, RetentionClass> classOfType =
        type -> RetentionClass.of(options.retention().forType(type));
    this.lateArrivals = new SlotReader(clock, options.settle(), options.retention().lateArrivals());
    this.writer =
        new Writer(
            hours,
            ownRows,
            classOfType,
            new LateArrivalRecorder(clock, options.settle()),
            options.writeBytesMax());
    this.dropper = new Dropper(hours, ownRows, options.trustFor());
    this.connection =
        new Connection(
            () -> Sessions.builder(options, metrics.retries()).withMetricRegistry(meters).build(),
            this::prepare,
            meters);
    this.housekeeping =
        new Housekeeping(connection, ownRows, newSealer(step -> {}), options.sealEvery());
    metrics.watch(
        List.of(reads, writes, firstTimes, claims.requests()), writer, ownRows, connection);
  }

  /**
   * Opens even if the cluster is unreachable or has another schema. Calls then fail with the reason
   * while the store keeps trying to connect.
   */
  public static CassandraStore open(CassandraOptions options, Clock clock, MeterRegistry meters) {
    return open(options, clock, System::nanoTime, meters);
  }

  /** With another monotonic clock, for trust in the directory and for the grace of sealed rows. */
  static CassandraStore open(
      CassandraOptions options, Clock clock, LongSupplier nanoTime, MeterRegistry meters) {
    CassandraStore store = new CassandraStore(options, clock, nanoTime, meters);
    store.connection.awaitFirstAttempt(FIRST_ATTEMPT_WAIT);
    return store;
  }

  private Tables prepare(CqlSession session) {
    new Schema(session, options).ensure();
    return Tables.prepare(
        new Cql(session, options.keyspace(), reads, writes, readers),
        claims.prepare(session, options.keyspace()),
        new FirstTimesTable(
            new Cql(session, options.keyspace(), firstTimes, firstTimes, readers), options),
        options);
  }

  private CompletionStage<Void> publish(OwnRow row, WriterRecord record) {
    return openTables().directory().put(row.row(), row.generation(), record, row.retentionClass());
  }

  private HourStates hourStates(Function<Tables, HoursTable> table) {
    return new HourStates(
        hour -> table.apply(openTables()).state(hour), options.trustFor(), nanoTime);
  }

  /** Unlike {@link #tables}, also usable while the store closes. */
  Tables openTables() {
    return connection.tables();
  }

  private Tables tables() {
    if (closed) {
      throw new UnavailableException("the store is closed");
    }
    return openTables();
  }

  private <T> CompletionStage<T> with(Function<Tables, CompletionStage<T>> work) {
    return Futures.call(() -> work.apply(tables()));
  }

  /** The first times are stored already, whether or not their events are. */
  @Override
  public CompletionStage<Void> write(
      List<Mutation> mutations, FirstTimes firstTimes, Object client) {
    return with(tables -> writer.write(tables, List.copyOf(mutations)));
  }

  @Override
  public CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client) {
    return with(tables -> tables.firstTimes().keep(found));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return ofRow(
        query.row(), new Slice(Columns.EMPTY, false), (reader, fact) -> reader.slice(query, fact));
  }

  /** Reads a row, and again if its pages were replaced meanwhile. */
  private <T> CompletionStage<T> ofRow(
      RowKey row, T absent, BiFunction<RowReader, Directory.Fact, CompletionStage<T>> reading) {
    return again(
        row,
        REPLACED_MAX,
        () ->
            with(
                tables ->
                    directory
                        .fact(tables, row)
                        .thenCompose(
                            fact ->
                                fact == null
                                    ? CompletableFuture.completedFuture(absent)
                                    : reading.apply(new RowReader(tables), fact))));
  }

  private <T> CompletionStage<T> again(
      RowKey row, int times, Supplier<CompletionStage<T>> reading) {
    long sinceNanos = nanoTime.getAsLong();
    return reading
        .get()
        .thenApply(
            answer -> {
              // What the look-up named may be deleted, as after a sleep of this process.
              if (nanoTime.getAsLong() - sinceNanos >= readMaxNanos) {
                throw new SealReplacedException(row);
              }
              return answer;
            })
        .exceptionallyCompose(
            failure -> {
              Throwable cause = Failures.cause(failure);
              if (!(cause instanceof SealReplacedException)) {
                return CompletableFuture.failedFuture(failure);
              }
              return times > 0
                  ? again(row, times - 1, reading)
                  : CompletableFuture.failedFuture(
                      new UnavailableException(String.valueOf(cause.getMessage()), cause));
            });
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return again(
        query.row(),
        REPLACED_MAX,
        () ->
            with(
                tables ->
                    directory
                        .row(tables, query.row())
                        .thenCompose(
                            found ->
                                found == null
                                    ? CompletableFuture.completedFuture(RowCounts.NONE)
                                    : count(tables, query, found))));
  }

  private CompletionStage<RowCounts> count(Tables tables, CountQuery query, Directory.Found found) {
    RowCounts counts = found.entry().counts(query);
    if (counts != null) {
      return CompletableFuture.completedFuture(counts);
    }
    RowReader reader = new RowReader(tables);
    if (!isCountedButForStarts(query, found.entry())) {
      return reader.count(query, found.fact());
    }
    return reader
        .atStarts(query, found.fact())
        .thenCompose(
            atStarts ->
                directory
                    .row(tables, query.row())
                    .thenCompose(
                        now -> {
                          // Writes that were acknowledged before the read have left a mark.
                          if (now == null || !isCountedButForStarts(query, now.entry())) {
                            return reader.count(query, found.fact());
                          }
                          Manifest manifest = Objects.requireNonNull(now.entry().manifest());
                          ColumnCounter counter = new ColumnCounter(query);
                          counter.add(
                              query.row().hour().startTicks(),
                              manifest.columnsByMinute(),
                              atStarts,
                              manifest.columns(),
                              manifest.bytes());
                          return CompletableFuture.completedFuture(counter.counts());
                        }));
  }

  /** Whether the manifest lacks only the columns at the first ticks of minutes. */
  private static boolean isCountedButForStarts(CountQuery query, RowEntry entry) {
    return query.endsWithMinutes() && entry.counts(query.fromTickBefore()) != null;
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return ofRow(
        query.part().row(),
        new FieldValues(query.fields().size()),
        (reader, fact) -> reader.values(query, fact));
  }

  @Override
  public boolean keepsFieldsApart() {
    return true;
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return with(
        tables ->
            directory
                .rows(tables, hour)
                .thenApply(rows -> rows.stream().map(Directory.Found::entry).toList()));
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return with(
        tables ->
            from.compareTo(to) > 0
                ? CompletableFuture.completedFuture(List.of())
                : tables.hours().hours(from, to));
  }

  @Override
  public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claimed) {
    return with(tables -> claims.claim(tables.claimLane(), typeHour, List.copyOf(claimed)));
  }

  @Override
  public CompletionStage<List<ShardClaim>> claims(TypeHour typeHour) {
    return with(tables -> Claims.all(hours, tables.claims(), typeHour));
  }

  @Override
  public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
    return with(tables -> lateArrivals.read(tables.lateArrivals(), after, namesMax));
  }

  @Override
  public CompletionStage<Void> drop(Hour hour) {
    return with(tables -> dropper.drop(tables, hour));
  }

  /** Reads one hour at the configured consistency. Fails before a health probe times out. */
  @Override
  public CompletionStage<Void> check() {
    return with(
        tables ->
            tables
                .hours()
                .state(Hour.FIRST)
                .toCompletableFuture()
                .copy()
                .orTimeout(CHECK_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .handle((state, failure) -> checked(tables, failure)));
  }

  private static @Nullable Void checked(Tables tables, @Nullable Throwable failure) {
    if (failure instanceof TimeoutException) {
      throw new UnavailableException(
          "Cassandra: no answer within %d ms; %s"
              .formatted(CHECK_WAIT.toMillis(), Nodes.text(tables.cql().session())));
    }
    if (failure != null) {
      throw DriverFailures.of(failure);
    }
    return null;
  }

  @Override
  public List<String> placement(RowKey row) {
    CqlSession session = connection.session();
    return session == null ? List.of() : Nodes.of(session, options.keyspace(), CqlValues.key(row));
  }

  /**
   * Batches of events that each node has written for this keyspace since its start, by the names of
   * {@link #placement}.
   */
  public CompletionStage<Map<String, Long>> nodeWrites() {
    return with(tables -> Nodes.writes(tables.cql(), RetentionClass.TABLE_PREFIX));
  }

  @Override
  public Set<Limitation> limitations() {
    return Set.of(Limitation.SPLITS_LARGE_WRITES, Limitation.NOTES_REPEATS);
  }

  /** Publishes the exact state of all rows, then seals every row that is due. */
  CompletionStage<Void> sealNow() {
    return housekeeping.sealNow();
  }

  /** A sealer like that of another process, which calls {@code onStep} after each of its steps. */
  Sealer newSealer(Consumer<Sealer.Step> onStep) {
    return new Sealer(directory, clock, nanoTime, options, metrics, onStep);
  }

  /** Publishes the exact state of all rows. */
  CompletionStage<Void> publishNow() {
    return ownRows.publishAll();
  }

  Directory directory() {
    return directory;
  }

  RequestWindow reads() {
    return reads;
  }

  RequestWindow writes() {
    return writes;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    writer.awaitAll(options.requestTimeout());
    housekeeping.close();
    connection.close();
    claims.close(options.requestTimeout());
    DaemonThreads.close(readers, options.requestTimeout());
  }
}
