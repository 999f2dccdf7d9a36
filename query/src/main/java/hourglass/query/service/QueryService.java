package hourglass.query.service;

import hourglass.access.FairExecutor;
import hourglass.access.FairExecutor.Lane;
import hourglass.bucketing.TimeUuid;
import hourglass.query.AnswerFacts;
import hourglass.query.AroundQuery;
import hourglass.query.BadParameterException;
import hourglass.query.Counted;
import hourglass.query.EventQuery;
import hourglass.query.EventTaker;
import hourglass.query.Fields;
import hourglass.query.FieldsQuery;
import hourglass.query.Gaps;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.NoSuchEventException;
import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import hourglass.query.SampleReader;
import hourglass.query.Samples;
import hourglass.query.Selection;
import hourglass.query.Stats;
import hourglass.query.StatsQuery;
import hourglass.query.Top;
import hourglass.query.TopQuery;
import hourglass.query.TypeCount;
import hourglass.query.advice.GrowthMeter;
import hourglass.query.advice.RowsQuery;
import hourglass.query.advice.RowsReport;
import hourglass.query.count.EventCounter;
import hourglass.query.count.FieldsCount;
import hourglass.query.count.HitsCount;
import hourglass.query.count.SampleCount;
import hourglass.query.count.StatsCount;
import hourglass.query.count.TopCount;
import hourglass.query.count.TypesCount;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.AroundSearch;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.EventLookup;
import hourglass.query.scan.EventScan;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.QueryReads;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.TimedStore;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries from a store. Read-only. Thread-safe.
 *
 * <p>Methods that read wait for the store in the thread of the query. They fail as the store does,
 * with {@link java.util.concurrent.TimeoutException} if it is slow, or with {@link
 * BadParameterException} if an answer would exceed the options, or an expression is invalid.
 */
public final class QueryService {
  /**
   * How often an answer is gathered at most. Erasures that begin meanwhile spoil it, and not those
   * that end.
   */
  private static final int RUNS_MAX = 3;

  private final StoreAccess access;
  private final Clock clock;
  private final GrowthMeter growth;

  public QueryService(WideColumnStore store, QueryOptions options, Clock clock, Executor executor) {
    this(store, options, clock, executor, null);
  }

  /**
   * The wall {@code clock} decides which hours are over; {@code executor} limits the number of
   * threads.
   */
  public QueryService(
      WideColumnStore store,
      QueryOptions options,
      Clock clock,
      Executor executor,
      RowSource.@Nullable Cache cache) {
    this(
        access(new TimedStore(store, options.storeTimeoutMillis()), options, executor, cache),
        clock,
        new GrowthMeter());
  }

  private static StoreAccess access(
      WideColumnStore timed,
      QueryOptions options,
      Executor executor,
      RowSource.@Nullable Cache cache) {
    RowSource source = cache == null ? RowSource.of(timed) : cache.over(timed, executor);
    AnswerBytes.Account unbounded = new AnswerBytes(Long.MAX_VALUE).open("");
    Lane lane = FairExecutor.over(executor).lane("");
    QueryReads uncounted = new QueryReads();
    return new StoreAccess(
        timed, source, options, lane, executor, unbounded, uncounted, () -> false);
  }

  private QueryService(StoreAccess access, Clock clock, GrowthMeter growth) {
    this.access = access;
    this.clock = clock;
    this.growth = growth;
  }

  /** Returns this service with the resources of one query. The caller closes their account. */
  public QueryService with(UnaryOperator<StoreAccess> resources) {
    return new QueryService(resources.apply(access), clock, growth);
  }

  /**
   * Whether a query needs only milliseconds; false if the directory cannot estimate it. Never
   * fails.
   */
  public CompletionStage<Boolean> isSmall(Selection selection, boolean readsPayloads) {
    return SizeEstimate.isSmall(access, selection, readsPayloads).exceptionally(failure -> false);
  }

  public void check(Selection selection) {
    EventFilter.of(selection);
    if (selection.content() != null) {
      selection.content().check();
    }
  }

  /** Returns events as the body of an answer, which reads the store as it is written. */
  public EventStream events(EventQuery query, EventFormat format, CsvTable table) {
    return events(query, format, table, null);
  }

  /**
   * Returns events as NDJSON with lines of progress between them; the {@code steady} clock sets
   * their pace.
   */
  public EventStream eventsWithProgress(EventQuery query, Clock steady) {
    check(query.selection());
    ProgressLines lines = new ProgressLines(rowsOf(query).toCompletableFuture(), steady);
    return events(query, EventFormat.NDJSON, CsvTable.STANDARD, lines);
  }

  private EventStream events(
      EventQuery query, EventFormat format, CsvTable table, @Nullable ProgressLines lines) {
    EventScan scan = new EventScan(access, query);
    return new EventStream(thread -> scan, format.encoder(table, access.gone()), lines);
  }

  /**
   * Counts the rows that the query reads if no limit ends it, in a thread of its own; 0 if a
   * directory cannot be read.
   */
  private CompletionStage<Long> rowsOf(EventQuery query) {
    return access
        .start(
            thread -> {
              LongAdder sum = new LongAdder();
              directory(query.selection(), thread)
                  .forEachHour((hour, rows) -> sum.add(query.reaches(hour) ? rows.size() : 0));
              return sum.sum();
            })
        .exceptionally(failure -> 0L);
  }

  /**
   * Returns a page of events around one of them. The body's first step may fail with {@link
   * NoSuchEventException}.
   */
  public EventStream events(AroundQuery query, EventFormat format, CsvTable table) {
    check(query.selection());
    AroundSearch search = new AroundSearch(query, access);
    return new EventStream(search::run, format.encoder(table, access.gone()), null);
  }

  /** Finds the event that has an id, and returns it as JSON; see {@link EventLookup#run}. */
  public Optional<byte[]> event(TimeUuid id, SortedSet<String> types, QueryThread thread) {
    return EventLookup.run(id, types, access, thread);
  }

  /**
   * Counts events in steps of time. If {@code partial}, unreadable rows are left out and listed;
   * otherwise, an unreadable row fails the answer.
   */
  public Counted<Hits> hits(HitsQuery query, boolean partial, QueryThread thread) {
    return counted(
        query.selection(),
        partial,
        thread,
        rows -> HitsCount.run(query, access, rows, partial, thread));
  }

  /** Counts events by type. For {@code partial}, see {@link #hits}. */
  public Counted<List<TypeCount>> types(Selection selection, boolean partial, QueryThread thread) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    return counted(
        selection,
        partial,
        thread,
        rows ->
            TypesCount.run(
                selection, new EventCounter(access, filter, rows), access.account(), thread));
  }

  /**
   * Counts events, or summarizes a field of them, in steps and groups. For {@code partial}, see
   * {@link #hits}.
   */
  public Counted<Stats> stats(StatsQuery query, boolean partial, QueryThread thread) {
    return counted(
        query.selection(),
        partial,
        thread,
        rows -> StatsCount.run(query, access, rows, partial, thread));
  }

  /** Finds the most frequent values of a field. For {@code partial}, see {@link #hits}. */
  public Counted<Top> top(TopQuery query, boolean partial, QueryThread thread) {
    return counted(
        query.selection(),
        partial,
        thread,
        rows -> TopCount.run(query, access, rows, partial, thread));
  }

  /** Finds the fields that events have. For {@code partial}, see {@link #hits}. */
  public Counted<Fields> fields(FieldsQuery query, boolean partial, QueryThread thread) {
    return counted(
        query.selection(), partial, thread, rows -> FieldsCount.run(query, access, rows, thread));
  }

  /** Reads samples of events in steps. An unreadable row fails them. */
  public <G> Counted<Samples<G>> samples(SampleReader.Query<G> query, QueryThread thread) {
    return counted(
        query.selection(), false, thread, rows -> SampleCount.run(query, access, rows, thread));
  }

  /** Passes the events of a query to {@code taker}, one after the other, and returns the facts. */
  public AnswerFacts read(EventQuery query, EventTaker taker, QueryThread thread) {
    EventScan scan = new EventScan(access, query);
    scan.forEach(
        (row, columns, i) ->
            taker.take(row.text().type(), columns, i)
                ? EventSink.Verdict.TAKEN
                : EventSink.Verdict.LEFT_OUT,
        thread);
    return scan.facts(thread);
  }

  /**
   * Reserves memory for the answer, until it ends.
   *
   * @throws hourglass.query.AnswersFullException if too little memory is left
   */
  public void reserve(long bytes) {
    access.account().take(bytes);
  }

  /**
   * Does work that gathers an answer in memory, and does it again if events were erased meanwhile.
   *
   * @param work may reserve memory, which is released before it is done again
   * @throws ErasedMeanwhileException if events were erased each time
   */
  public <T> T unerased(QueryThread thread, Supplier<T> work) {
    long heldBytes = access.account().held();
    Object before = thread.await(access.store().erasureMark());
    for (int runs = 0; runs < RUNS_MAX; runs++) {
      T gathered = work.get();
      Object after = thread.await(access.store().erasureMark());
      if (after == before) {
        return gathered;
      }
      before = after;
      access.account().keep(heldBytes);
    }
    throw new ErasedMeanwhileException();
  }

  /** Returns the resources of the query, for work that is no question to this service. */
  public StoreAccess access() {
    return access;
  }

  /** Whether the client has cancelled the query. */
  public BooleanSupplier gone() {
    return access.gone();
  }

  private <T> Counted<T> counted(
      Selection selection, boolean partial, QueryThread thread, Function<AnswerRows, T> count) {
    AnswerRows rows = new AnswerRows(partial);
    T value = count.apply(rows);
    return new Counted<>(value, rows.facts(gaps(selection, thread)));
  }

  private Gaps gaps(Selection selection, QueryThread thread) {
    return thread.await(selection.gapsOf(access.store()));
  }

  /** Reads the row directory with the writers of each row, and assesses the layout. */
  public Counted<RowsReport> rows(Selection selection, QueryThread thread) {
    RowsReport report = RowsQuery.run(directory(selection, thread), access, growth, clock, thread);
    return new Counted<>(report, AnswerFacts.of(gaps(selection, thread)));
  }

  /** Estimates, from the directories, the rows that a query would read. */
  public Counted<Plan> plan(EventQuery query, QueryThread thread) {
    check(query.selection());
    List<Plan> hours = new ArrayList<>();
    directory(query.selection(), thread)
        .forEachHour((hour, rows) -> hours.add(Plan.ofHour(query, rows)));
    return new Counted<>(
        hours.stream().reduce(Plan.NOTHING, Plan::plus),
        AnswerFacts.of(gaps(query.selection(), thread)));
  }

  private DirectoryScan directory(Selection selection, QueryThread thread) {
    int fanOut = access.options().fanOut();
    return new DirectoryScan(access, selection, fanOut, new AnswerRows(false), thread);
  }

  public QueryOptions options() {
    return access.options();
  }
}
