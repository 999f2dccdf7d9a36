package hourglass.query;

import hourglass.query.cache.CachedRows;
import hourglass.query.cache.RowCache;
import hourglass.query.cache.RowSource;
import hourglass.store.WideColumnStore;
import java.util.List;
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
  private final WideColumnStore store;
  private final RowSource source;
  private final QueryOptions options;
  private final Executor executor;
  private final Counting counting;
  private final Counting scanning;
  private final RowCounting rowCounting;

  /**
   * @param executor runs merges of names; bounded in threads
   */
  public QueryService(WideColumnStore store, QueryOptions options, Executor executor) {
    this(store, options, executor, null);
  }

  /**
   * @param cache keeps sealed rows; null: none are kept
   * @param executor runs merges of names, and packs and unpacks what is kept; bounded in threads
   */
  public QueryService(
      WideColumnStore store, QueryOptions options, Executor executor, @Nullable RowCache cache) {
    this.store = new TimedStore(store, options.storeTimeoutMillis());
    this.options = options;
    source = cache == null ? RowSource.of(this.store) : new CachedRows(this.store, cache, executor);
    this.executor = executor;
    counting = new Counting(this.store, options.fanOut());
    scanning = new Counting(this.store, ScanCounter.SCANS);
    rowCounting = new RowCounting(source, options, executor);
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
   * @param fields the columns, where the format is csv
   * @throws BadParameterException if the selection's expression is none
   */
  public EventStream events(EventQuery query, EventFormat format, List<CsvField> fields) {
    return new EventStream(new EventScan(store, source, query, options), format, fields);
  }

  /**
   * Events per step.
   *
   * @param gone whether nobody waits for the answer any more, asked now and then while payloads are
   *     read; then the stage fails with {@link java.util.concurrent.CancellationException}
   * @throws BadParameterException if the selection's expression is none
   */
  public CompletionStage<Hits> hits(HitsQuery query, BooleanSupplier gone) {
    EventFilter filter = EventFilter.of(query.selection());
    return filter == null
        ? query.run(counting, rowCounting, options.buckets())
        : query.run(scanning, scan(filter, gone), options.buckets());
  }

  /**
   * Events per type.
   *
   * @param gone as for {@link #hits}
   * @throws BadParameterException if the selection's expression is none
   */
  public CompletionStage<List<TypeCount>> types(Selection selection, BooleanSupplier gone) {
    EventFilter filter = EventFilter.of(selection);
    return filter == null
        ? TypesQuery.run(selection, counting, rowCounting)
        : TypesQuery.run(selection, scanning, scan(filter, gone));
  }

  private EventCounter scan(EventFilter filter, BooleanSupplier gone) {
    return new ScanCounter(source, options, executor, filter, gone);
  }

  /** The row directory. */
  public CompletionStage<List<RowFill>> rows(Selection selection) {
    return RowsQuery.run(selection, counting, options);
  }

  public QueryOptions options() {
    return options;
  }
}
