package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.query.rows.RowFill;
import hourglass.query.rows.RowReporter;
import hourglass.query.rows.RowsReport;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The directory of the hours of a range, and what the claims add to it. */
final class RowsQuery {
  private final QueryOptions options;

  /** Guarded by this. */
  private final TreeMap<Hour, List<RowFill>> rowsByHour = new TreeMap<>();

  private long rows;

  private RowsQuery(QueryOptions options) {
    this.options = options;
  }

  /** The rows of the hours that the range touches. */
  static CompletionStage<RowsReport> run(
      Selection selection,
      Counting counting,
      WideColumnStore store,
      RowReporter reporter,
      QueryOptions options) {
    RowsQuery query = new RowsQuery(options);
    return counting
        .forEachHour(
            selection,
            (hour, rows, callsMax) -> CompletableFuture.completedFuture(query.add(hour, rows)))
        .thenCompose(done -> query.reported(store, reporter));
  }

  private synchronized int add(Hour hour, List<RowEntry> entries) {
    rows += entries.size();
    if (rows > options.rows()) {
      throw new BadParameterException(
          "from, to: more than " + options.rows() + " rows; want a shorter range or fewer types");
    }
    rowsByHour.put(
        hour,
        entries.stream().map(entry -> RowFill.of(entry, options.layout().planner())).toList());
    return entries.size();
  }

  private synchronized List<RowFill> toRows() {
    List<RowFill> all = new ArrayList<>();
    rowsByHour.values().forEach(all::addAll);
    return all;
  }

  private CompletionStage<RowsReport> reported(WideColumnStore store, RowReporter reporter) {
    List<RowFill> all = toRows();
    return ClaimsQuery.run(all, store, options)
        .thenApply(claims -> reporter.report(all, claims.known(), claims.asked()));
  }
}
