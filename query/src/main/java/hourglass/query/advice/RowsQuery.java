package hourglass.query.advice;

import hourglass.bucketing.Hour;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.query.BadParameterException;
import hourglass.query.Selection;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.StoreAccess;
import hourglass.store.RowEntry;
import java.time.Clock;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the directories of the hours of a range, and the claims of their rows. */
public final class RowsQuery {
  /** The memory of a row, held until its part of the answer is written. */
  private static final long ROW_BYTES = DirectoryScan.ROW_BYTES + 48;

  private final StoreAccess access;
  private final Clock clock;

  /** Guarded by this. */
  private final TreeMap<Hour, HourRows> rowsByHour = new TreeMap<>();

  private long rows;

  private RowsQuery(StoreAccess access, Clock clock) {
    this.access = access;
    this.clock = clock;
  }

  /** Reports the rows of the hours that the range touches. */
  public static CompletionStage<RowsReport> run(
      Selection selection,
      DirectoryScan counting,
      StoreAccess access,
      RowReporter reporter,
      Clock clock) {
    RowsQuery query = new RowsQuery(access, clock);
    return counting
        .forEachHour(
            selection,
            (hour, rows, callsMax) -> CompletableFuture.completedFuture(query.add(hour, rows)))
        .thenCompose(done -> query.reported(reporter));
  }

  private synchronized int add(Hour hour, List<RowEntry> entries) {
    rows += entries.size();
    int rowsMax = access.options().rows();
    if (rows > rowsMax) {
      throw new BadParameterException(
          "from, to: more than " + rowsMax + " rows; want a shorter range or fewer types");
    }
    access.account().take(ROW_BYTES * entries.size());
    PlannerOptions target = access.options().layout().planner();
    List<RowFill> fills = entries.stream().map(entry -> RowFill.of(entry, target)).toList();
    rowsByHour.put(hour, new HourRows(hour, clock.instant(), fills));
    return entries.size();
  }

  private synchronized List<HourRows> hours() {
    return List.copyOf(rowsByHour.values());
  }

  private CompletionStage<RowsReport> reported(RowReporter reporter) {
    List<HourRows> hours = hours();
    return ClaimsReader.run(hours, access).thenApply(claims -> reporter.report(hours, claims));
  }
}
