package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.CountQuery;
import hourglass.store.DroppedHours;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Limitation;
import hourglass.store.Mutation;
import hourglass.store.RetentionOutlook;
import hourglass.store.RetentionOutlook.Due;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.driver.DriverFailures;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.driver.Nodes;
import hourglass.store.cassandra.driver.RequestWindow;
import hourglass.store.cassandra.late.LateArrivalRecorder;
import hourglass.store.cassandra.late.SlotReader;
import hourglass.store.cassandra.rows.CqlValues;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.erasure.ErasableStore;
import hourglass.store.erasure.ErasureJournal;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine on Apache Cassandra. An acknowledged column is on as many nodes as the consistency
 * level requires; later reads find it, in any process. Thread-safe; any number of processes may
 * share a keyspace.
 */
public final class CassandraStore implements ErasableStore {
  private static final Duration FIRST_ATTEMPT_WAIT = Duration.ofSeconds(10);

  /** The longest wait of a check; health probes wait at least two seconds. */
  private static final Duration CHECK_WAIT = Duration.ofMillis(1_500);

  private final CassandraOptions options;
  private final RequestLanes lanes;
  private final Connection connection;
  private final Directory directory;
  private final DirectoryReads rows;
  private final Claims claims;
  private final SlotReader lateArrivals;
  private final Writer writer;
  private final Dropper dropper;
  private final Function<Consumer<Sealer.Step>, Sealer> sealers;
  private final CassandraErasures erasures;
  private final Housekeeping housekeeping;

  private CassandraStore(
      CassandraOptions options,
      Clock clock,
      LongSupplier nanoTime,
      RequestLanes lanes,
      Connection connection,
      StoreMetrics metrics) {
    this.options = options;
    this.lanes = lanes;
    this.connection = connection;
    HourStates hours = hourStates(connection, Tables::hours, options, nanoTime);
    HourStates laneHours =
        hourStates(connection, tables -> tables.claimLane().hours(), options, nanoTime);
    OwnRows ownRows =
        new OwnRows(
            clock,
            options.publishAge(),
            options.sealAfter().dividedBy(2),
            (row, record) -> publish(connection.tables(), row, record));
    directory =
        new Directory(hours, ownRows, clock, nanoTime, options.trustFor(), options.sealAfter());
    erasures =
        CassandraErasures.create(
            options, clock, nanoTime, connection, directory, ownRows, this::placement);
    sealers =
        onStep ->
            new Sealer(directory, erasures::columns, clock, nanoTime, options, metrics, onStep);
    rows =
        new DirectoryReads(
            connection::tablesForRequest,
            directory,
            nanoTime,
            readMax(options).toNanos(),
            erasures::deletions);
    claims = new Claims(hours, laneHours, directory);
    lateArrivals = new SlotReader(clock, options.settle(), options.retention().lateArrivals());
    writer =
        new Writer(
            hours,
            ownRows,
            type -> RetentionClass.of(options.retention().forType(type)),
            new LateArrivalRecorder(clock, options.settle(), erasures::withoutErased),
            erasures::requireNotErased,
            () -> clock.millis() / options.packPeriod().toMillis(),
            options.writeBytesMax());
    dropper = new Dropper(hours, ownRows, options.trustFor());
    housekeeping =
        new Housekeeping(connection, ownRows, sealers.apply(step -> {}), erasures, options);
    metrics.watch(lanes.windows(), writer, ownRows, connection);
  }

  private static HourStates hourStates(
      Connection connection,
      Function<Tables, HoursTable> table,
      CassandraOptions options,
      LongSupplier nanoTime) {
    return new HourStates(
        hour -> table.apply(connection.tables()).state(hour), options.trustFor(), nanoTime);
  }

  private static CompletionStage<Void> publish(Tables tables, OwnRow row, WriterRecord record) {
    return tables.directory().put(row.row(), row.generation(), record, row.retentionClass());
  }

  /**
   * The longest time for which a read may use the data that a look-up names. The data may be
   * deleted after the grace of any process, which may be shorter than that of this one. The look-up
   * itself may be trusted for a while.
   */
  private static Duration readMax(CassandraOptions options) {
    Duration graceMin = CassandraOptions.DEFAULTS.replaceGrace();
    Duration own = options.replaceGrace();
    return (own.compareTo(graceMin) < 0 ? own : graceMin).minus(options.trustFor());
  }

  /**
   * Opens the store even if the cluster is unreachable or has another schema. Calls then fail with
   * the reason while the store keeps trying to connect.
   */
  public static CassandraStore open(CassandraOptions options, Clock clock, MeterRegistry meters) {
    return open(options, clock, System::nanoTime, meters);
  }

  /**
   * Opens the store with another monotonic clock, for trust in the directory and for the grace of
   * sealed rows.
   */
  static CassandraStore open(
      CassandraOptions options, Clock clock, LongSupplier nanoTime, MeterRegistry meters) {
    StoreMetrics metrics = new StoreMetrics(meters);
    RequestLanes lanes = RequestLanes.of(options.requestsMax());
    Connection connection =
        new Connection(
            () ->
                SessionFactory.builder(options, metrics.retries())
                    .withMetricRegistry(meters)
                    .build(),
            session -> {
              new Schema(session, options).ensure();
              return lanes.prepare(session, options);
            },
            meters);
    CassandraStore store = new CassandraStore(options, clock, nanoTime, lanes, connection, metrics);
    connection.awaitFirstAttempt(FIRST_ATTEMPT_WAIT);
    return store;
  }

  /** Returns the tables, also while the store closes. */
  Tables openTables() {
    return connection.tables();
  }

  private <T> CompletionStage<T> with(Function<Tables, CompletionStage<T>> work) {
    return Futures.call(() -> work.apply(connection.tablesForRequest()));
  }

  /** Writes columns. The first times are stored already, whether or not their events are. */
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
    return rows.slice(query);
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return rows.count(query);
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return rows.values(query);
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
    return with(tables -> claims.all(tables.claims(), typeHour));
  }

  @Override
  public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
    return with(tables -> lateArrivals.read(tables.lateArrivals(), after, namesMax));
  }

  @Override
  public CompletionStage<Void> drop(Hour hour) {
    return with(tables -> dropper.drop(tables, hour));
  }

  @Override
  public CompletionStage<Void> drop(TypeHour typeHour) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("Cassandra: only whole hours can be dropped"));
  }

  @Override
  public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
    return with(
        tables ->
            from.compareTo(to) > 0
                ? CompletableFuture.completedFuture(DroppedHours.NONE)
                : tables.hours().dropped(from, to).thenApply(DroppedHours::of));
  }

  /** Foresees by the retention classes of the hours; the nodes delete their columns then. */
  @Override
  public CompletionStage<RetentionOutlook> outlook(int hoursMax) {
    return with(
        tables ->
            tables
                .hours()
                .states(Hour.FIRST, Hour.LAST)
                .thenApply(states -> new RetentionOutlook(null, null, due(states, hoursMax))));
  }

  private static List<Due> due(Map<Hour, HourState> states, int hoursMax) {
    List<Due> due = new ArrayList<>();
    states.forEach(
        (hour, state) ->
            state.classes().stream()
                .map(RetentionClass::parse)
                .filter(RetentionClass::ends)
                .map(of -> hour.end().plusSeconds(of.seconds()))
                .forEach(at -> due.add(new Due(hour, RetentionOutlook.RETENTION, at))));
    return due.stream()
        .sorted(Comparator.comparing(Due::at).thenComparing(Due::hour))
        .limit(hoursMax)
        .toList();
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
   * Returns the number of batches of events that each node has written for this keyspace since its
   * start, by the names of {@link #placement}.
   */
  public CompletionStage<Map<String, Long>> nodeWrites() {
    return with(tables -> Nodes.writes(tables.cql(), RetentionClass.TABLE_PREFIX));
  }

  @Override
  public ErasureJournal erasures() {
    return erasures;
  }

  @Override
  public Set<Limitation> limitations() {
    return Set.of(
        Limitation.SPLITS_LARGE_WRITES, Limitation.NOTES_REPEATS, Limitation.DROPS_WHOLE_HOURS);
  }

  /** Publishes the exact state of all rows, then seals every row that is due. */
  CompletionStage<Void> sealNow() {
    return housekeeping.sealNow();
  }

  /**
   * Creates a sealer like that of another process, which calls {@code onStep} after each of its
   * steps.
   */
  Sealer newSealer(Consumer<Sealer.Step> onStep) {
    return sealers.apply(onStep);
  }

  /** Publishes the exact state of all rows. */
  CompletionStage<Void> publishNow() {
    return housekeeping.publishNow();
  }

  Directory directory() {
    return directory;
  }

  RequestWindow reads() {
    return lanes.reads();
  }

  RequestWindow writes() {
    return lanes.writes();
  }

  @Override
  public synchronized void close() {
    if (connection.isClosing()) {
      return;
    }
    connection.beginClose();
    writer.awaitAll(options.requestTimeout());
    housekeeping.close();
    connection.close();
    lanes.close(options.requestTimeout());
  }
}
