package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.bucketing.planner.PlannerOptions;
import hourglass.query.rows.HourRows;
import hourglass.query.rows.RowFill;
import hourglass.query.rows.RowReporter;
import hourglass.query.rows.RowsReport;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.time.Clock;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The directory of the hours of a range, and what the claims add to it. */
final class RowsQuery {
  private final QueryOptions options;
  private final Clock clock;

  /** Guarded by this. */
  private final TreeMap<Hour, HourRows> rowsByHour = new TreeMap<>();

  private long rows;

  private RowsQuery(QueryOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
  }

  /**
   * The rows of the hours that the range touches.
   *
   * @param executor puts the report together; the thread that has the last claims has other work
   */
  static CompletionStage<RowsReport> run(
      Selection selection,
      Counting counting,
      WideColumnStore store,
      RowReporter reporter,
      QueryOptions options,
      Clock clock,
      Executor executor) {
    RowsQuery query = new RowsQuery(options, clock);
    return counting
        .forEachHour(
            selection,
            (hour, rows, callsMax) -> CompletableFuture.completedFuture(query.add(hour, rows)))
        .thenCompose(done -> query.reported(store, reporter, executor));
  }

  private synchronized int add(Hour hour, List<RowEntry> entries) {
    rows += entries.size();
    if (rows > options.rows()) {
      throw new BadParameterException(
          "from, to: more than " + options.rows() + " rows; want a shorter range or fewer types");
    }
    PlannerOptions target = options.layout().planner();
    List<RowFill> fills = entries.stream().map(entry -> RowFill.of(entry, target)).toList();
    rowsByHour.put(hour, new HourRows(hour, clock.instant(), fills));
    return entries.size();
  }

  private synchronized List<HourRows> hours() {
    return List.copyOf(rowsByHour.values());
  }

  private CompletionStage<RowsReport> reported(
      WideColumnStore store, RowReporter reporter, Executor executor) {
    List<HourRows> hours = hours();
    List<RowFill> all = hours.stream().flatMap(hour -> hour.rows().stream()).toList();
    return ClaimsQuery.run(all, store, options)
        .thenApplyAsync(claims -> reporter.report(hours, claims.known(), claims.asked()), executor);
  }
}
