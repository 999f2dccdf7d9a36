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
 * Answers queries from a store. Reads only. Thread-safe.
 *
 * <p>Stages, and steps of streams, fail as the store does, with {@link
 * java.util.concurrent.TimeoutException} where it takes too long, or with {@link
 * BadParameterException} where an answer would be larger than the options allow.
 */
public final class QueryService {
  private final StoreAccess access;
  private final Clock clock;
  private final RowReporter rowReporter;

  /**
   * @param clock tells which hours are over, and how fast rows grow
   * @param executor runs merges of names, and filters ahead of merges; bounded in threads
   */
  public QueryService(WideColumnStore store, QueryOptions options, Clock clock, Executor executor) {
    this(store, options, clock, executor, null);
  }

  /**
   * @param clock tells which hours are over, and how fast rows grow
   * @param executor runs merges of names, and filters ahead of merges, and packs and unpacks what
   *     is kept; bounded in threads
   * @param cache keeps sealed rows; null: none are kept
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

  /** The same service, whose merges and filters run on another executor. */
  public QueryService on(Executor executor) {
    return new QueryService(access.on(executor), clock, rowReporter);
  }

  /**
   * The same service for one answer.
   *
   * @param account takes the memory that the answer holds; the caller closes it with the answer.
   *     Without one, memory is not accounted for
   */
  public QueryService with(AnswerBytes.Account account) {
    return new QueryService(access.with(account), clock, rowReporter);
  }

  /**
   * The same service for a query that its client may give up.
   *
   * @param gone whether it was given up, asked now and then on any thread; what is not done yet
   *     then fails with {@link java.util.concurrent.CancellationException}
   */
  public QueryService until(BooleanSupplier gone) {
    return new QueryService(access.until(gone), clock, rowReporter);
  }

  /**
   * Whether a query takes milliseconds, as the directory tells.
   *
   * @param readsPayloads whether all events of the selection are read, and not only counted
   * @return never fails
   */
  public CompletionStage<Boolean> isSmall(Selection selection, boolean readsPayloads) {
    return SmallQuery.ask(selection, readsPayloads, access);
  }

  /**
   * Asks nothing, and only looks whether the selection can be asked for.
   *
   * @throws BadParameterException if its expression is none
   */
  public void check(Selection selection) {
    EventFilter.of(selection);
  }

  /**
   * Events, as the body of an answer; the store is asked at once.
   *
   * @param table the form of csv, where that is the format
   * @throws BadParameterException if the selection's expression is none
   */
  public EventStream events(EventQuery query, EventFormat format, CsvTable table) {
    return new EventStream(new EventScan(access, query), format, table);
  }

  /**
   * One event with those before and after it, as the body of an answer; the store is asked at once.
   * Its first step fails with {@link NoSuchEventException} if there is no such event.
   *
   * @param table the form of csv, where that is the format
   * @throws BadParameterException if the selection's expression is none
   */
  public EventStream events(AroundQuery query, EventFormat format, CsvTable table) {
    check(query.selection());
    AroundSearch search = new AroundSearch(query, access);
    return new EventStream(search.run(), search::cancel, format, table);
  }

  /**
   * The event with an id, as JSON.
   *
   * @param types to look among; none: all
   * @return fails with {@link BadParameterException} if events of several types have the id
   */
  public CompletionStage<Optional<byte[]>> event(TimeUuid id, SortedSet<String> types) {
    return EventLookup.run(id, types, access);
  }

  /**
   * Events per step.
   *
   * @param partial whether rows that the store cannot read are left out and named; else one of them
   *     fails the answer
   * @throws BadParameterException if the selection's expression is none
   */
  public CompletionStage<Counted<Hits>> hits(HitsQuery query, boolean partial) {
    EventFilter filter = EventFilter.of(query.selection(), access.gone());
    CountedRows rows = new CountedRows(partial);
    return HitsCount.run(query, counting(filter, rows), counter(filter, rows), access)
        .thenApply(hits -> new Counted<>(hits, rows.facts(missing(query.selection()))));
  }

  /**
   * Events per type.
   *
   * @param partial as for {@link #hits}
   * @throws BadParameterException if the selection's expression is none
   */
  public CompletionStage<Counted<List<TypeCount>>> types(Selection selection, boolean partial) {
    EventFilter filter = EventFilter.of(selection, access.gone());
    CountedRows rows = new CountedRows(partial);
    return TypesCount.run(selection, counting(filter, rows), counter(filter, rows), access)
        .thenApply(types -> new Counted<>(types, rows.facts(missing(selection))));
  }

  /**
   * What the numbers of a field are like.
   *
   * @param partial as for {@link #hits}
   * @throws BadParameterException if the selection's expression is none
   */
  public CompletionStage<Counted<Stats>> stats(StatsQuery query, boolean partial) {
    CountedRows rows = new CountedRows(partial);
    return StatsCount.run(query, fields(query.selection(), rows), access)
        .thenApply(stats -> new Counted<>(stats, rows.facts(missing(query.selection()))));
  }

  /**
   * The values that a field has most often.
   *
   * @param partial as for {@link #hits}
   * @throws BadParameterException if the selection's expression is none
   */
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

  /** Goes over hours whose rows count themselves, or whose events are read for a filter. */
  private DirectoryScan counting(@Nullable EventFilter filter, CountedRows rows) {
    int fanOut = filter == null ? options().fanOut() : EventPass.PASSES;
    return new DirectoryScan(access, fanOut, rows);
  }

  private EventCounter counter(@Nullable EventFilter filter, CountedRows rows) {
    return filter == null
        ? new RowCounting(access, rows.missing())
        : new ScanCounter(new EventPass(access, filter, rows.missing()));
  }

  /** What the store lacks of the hours of a selection: then no answer over them is complete. */
  public List<String> missing(Selection selection) {
    return selection.missingOf(access.store());
  }

  /** The row directory, who writes to its rows, and how well they are laid out. */
  public CompletionStage<RowsReport> rows(Selection selection) {
    return RowsQuery.run(
        selection, counting(null, new CountedRows(false)), access, rowReporter, clock);
  }

  /**
   * What a query would touch; nothing of it is run.
   *
   * @throws BadParameterException if the selection's expression is none
   */
  public CompletionStage<Plan> plan(EventQuery query) {
    check(query.selection());
    return PlanQuery.run(query, counting(null, new CountedRows(false)));
  }

  public QueryOptions options() {
    return access.options();
  }
}
