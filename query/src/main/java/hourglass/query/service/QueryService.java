package hourglass.query.service;

import hourglass.bucketing.TimeUuid;
import hourglass.query.AroundQuery;
import hourglass.query.BadParameterException;
import hourglass.query.Counted;
import hourglass.query.EventQuery;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.NoSuchEventException;
import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.Stats;
import hourglass.query.StatsQuery;
import hourglass.query.TopQuery;
import hourglass.query.TypeCount;
import hourglass.query.advice.RowReporter;
import hourglass.query.advice.RowsQuery;
import hourglass.query.advice.RowsReport;
import hourglass.query.count.EventCounter;
import hourglass.query.count.FieldPass;
import hourglass.query.count.HitsCount;
import hourglass.query.count.RowCounting;
import hourglass.query.count.ScanCounter;
import hourglass.query.count.StatsCount;
import hourglass.query.count.TypesCount;
import hourglass.query.count.ValueBatch;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.filter.EventFilter;
import hourglass.query.scan.AroundSearch;
import hourglass.query.scan.CountedRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventLookup;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.EventScan;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.TimedStore;
import hourglass.query.values.TopValues;
import hourglass.query.values.ValueTally;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries from a store. Read-only. Thread-safe.
 *
 * <p>Stages and bodies fail with the error of the store, or with {@link
 * java.util.concurrent.TimeoutException} if the store takes too long. They fail with {@link
 * BadParameterException} if an answer would exceed the options. Methods throw that exception if the
 * expression of a selection is invalid.
 */
public final class QueryService {
  private final StoreAccess access;
  private final Clock clock;
  private final RowReporter rowReporter;

  /** A service without a cache. */
  public QueryService(WideColumnStore store, QueryOptions options, Clock clock, Executor executor) {
    this(store, options, clock, executor, null);
  }

  /**
   * A service with an optional cache.
   *
   * @param clock the wall clock; decides which hours are over, and measures the growth of rows
   * @param executor runs merges of names, filters ahead of merges, and the packing of cached rows;
   *     bounded in threads
   * @param cache keeps sealed rows; null: no cache
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
        new RowReporter(options.layout(), store::placement));
  }

  private static StoreAccess access(
      WideColumnStore timed,
      QueryOptions options,
      Executor executor,
      RowSource.@Nullable Cache cache) {
    RowSource source = cache == null ? RowSource.of(timed) : cache.over(timed, executor);
    AnswerBytes.Account unbounded = new AnswerBytes(Long.MAX_VALUE).open();
    return new StoreAccess(timed, source, options, executor, unbounded, () -> false);
  }

  private QueryService(StoreAccess access, Clock clock, RowReporter rowReporter) {
    this.access = access;
    this.clock = clock;
    this.rowReporter = rowReporter;
  }

  /** The same service on another executor. */
  public QueryService on(Executor executor) {
    return new QueryService(access.on(executor), clock, rowReporter);
  }

  /**
   * The same service for one answer.
   *
   * @param account counts the memory of the answer; closed by the caller. Without one, memory is
   *     not counted
   */
  public QueryService with(AnswerBytes.Account account) {
    return new QueryService(access.with(account), clock, rowReporter);
  }

  /**
   * The same service for a query that may be cancelled.
   *
   * @param gone whether the query is cancelled; called on any thread from time to time. Unfinished
   *     work then fails with {@link java.util.concurrent.CancellationException}
   */
  public QueryService until(BooleanSupplier gone) {
    return new QueryService(access.until(gone), clock, rowReporter);
  }

  /**
   * Whether a query takes milliseconds, as estimated from the directory.
   *
   * @param readsPayloads whether the query reads all events of the selection, or only counts them
   * @return never fails
   */
  public CompletionStage<Boolean> isSmall(Selection selection, boolean readsPayloads) {
    return SmallQuery.ask(selection, readsPayloads, access);
  }

  /** Checks the expression of a selection without reading the store. */
  public void check(Selection selection) {
    EventFilter.of(selection);
  }

  /** Events as the body of an answer. The store is read at once. */
  public EventStream events(EventQuery query, EventFormat format, CsvTable table) {
    return new EventStream(new EventScan(access, query), format, table);
  }

  /**
   * One event with its neighbours as the body of an answer. The store is read at once. The first
   * step fails with {@link NoSuchEventException} if there is no such event.
   */
  public EventStream events(AroundQuery query, EventFormat format, CsvTable table) {
    check(query.selection());
    AroundSearch search = new AroundSearch(query, access);
    return new EventStream(search.run(), search::cancel, format, table);
  }

  /**
   * The event with an id, as JSON.
   *
   * @param types the types to search; empty: all
   * @return fails with {@link BadParameterException} if events of several types have the id
   */
  public CompletionStage<Optional<byte[]>> event(TimeUuid id, SortedSet<String> types) {
    return EventLookup.run(id, types, access);
  }

  /**
   * Counts events per step.
   *
   * @param partial whether unreadable rows are left out and listed; if false, one such row fails
   *     the answer
   */
  public CompletionStage<Counted<Hits>> hits(HitsQuery query, boolean partial) {
    EventFilter filter = EventFilter.of(query.selection(), access.gone());
    CountedRows rows = new CountedRows(partial);
    return HitsCount.run(query, counting(filter, rows), counter(filter, rows), access)
        .thenApply(hits -> new Counted<>(hits, rows.facts(missing(query.selection()))));
  }

  /** Counts events per type; {@code partial} as for {@link #hits}. */
  public CompletionStage<Counted<List<TypeCount>>> types(Selection selection, boolean partial) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    CountedRows rows = new CountedRows(partial);
    return TypesCount.run(selection, counting(filter, rows), counter(filter, rows), access)
        .thenApply(types -> new Counted<>(types, rows.facts(missing(selection))));
  }

  /** Summarizes the numbers of a field; {@code partial} as for {@link #hits}. */
  public CompletionStage<Counted<Stats>> stats(StatsQuery query, boolean partial) {
    CountedRows rows = new CountedRows(partial);
    return StatsCount.run(query, fields(query.selection(), rows), access)
        .thenApply(stats -> new Counted<>(stats, rows.facts(missing(query.selection()))));
  }

  /** The most frequent values of a field; {@code partial} as for {@link #hits}. */
  public CompletionStage<Counted<TopValues>> top(TopQuery query, boolean partial) {
    CountedRows rows = new CountedRows(partial);
    ValueTally tally = new ValueTally(options().topBytes());
    return fields(query.selection(), rows)
        .run(type -> new ValueBatch(query.path(), tally, access))
        .thenApply(done -> tally.top(query.n()))
        .thenApply(top -> new Counted<>(top, rows.facts(missing(query.selection()))));
  }

  private FieldPass fields(Selection selection, CountedRows rows) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    return new FieldPass(
        selection,
        new DirectoryScan(access, EventPass.PASSES, rows),
        new EventPass(access, filter, rows.missing()));
  }

  /** Scans hours either to count names in each row, or to read events for a filter. */
  private DirectoryScan counting(@Nullable EventFilter filter, CountedRows rows) {
    int fanOut = filter == null ? options().fanOut() : EventPass.PASSES;
    return new DirectoryScan(access, fanOut, rows);
  }

  private EventCounter counter(@Nullable EventFilter filter, CountedRows rows) {
    return filter == null
        ? new RowCounting(access, rows.missing())
        : new ScanCounter(new EventPass(access, filter, rows.missing()));
  }

  /**
   * The parts that the store lacks of the hours of a selection. If there are any, answers over
   * these hours are not complete.
   */
  public List<String> missing(Selection selection) {
    return selection.missingOf(access.store());
  }

  /** The row directory with the writers of each row, and an assessment of the layout. */
  public CompletionStage<RowsReport> rows(Selection selection) {
    return RowsQuery.run(
        selection, counting(null, new CountedRows(false)), access, rowReporter, clock);
  }

  /** The rows that a query would read. The query itself does not run. */
  public CompletionStage<Plan> plan(EventQuery query) {
    check(query.selection());
    return PlanQuery.run(query, counting(null, new CountedRows(false)));
  }

  public QueryOptions options() {
    return access.options();
  }
}
