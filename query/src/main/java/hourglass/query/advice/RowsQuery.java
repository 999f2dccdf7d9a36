package hourglass.query.advice;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.query.BadParameterException;
import hourglass.query.QueryOptions;
import hourglass.query.RowLayout;
import hourglass.query.Selection;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.StoreAccess;
import hourglass.store.RowEntry;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the directories of the hours of a range, and the claims of their rows. */
public final class RowsQuery {
  /** The memory of a row until its part of the answer is written. */
  private static final long ROW_BYTES = DirectoryScan.ROW_BYTES + 48;

  private static final long TYPE_BYTES = 96;

  private final StoreAccess access;
  private final Clock clock;

  /** The type hours by their first rows. Guarded by this. */
  private final TreeMap<RowKey, TypeRows> typeHours = new TreeMap<>();

  private long rows;

  private RowsQuery(StoreAccess access, Clock clock) {
    this.access = access;
    this.clock = clock;
  }

  public static CompletionStage<RowsReport> run(
      Selection selection,
      DirectoryScan counting,
      StoreAccess access,
      GrowthMeter growth,
      Clock clock) {
    RowsQuery query = new RowsQuery(access, clock);
    return counting
        .forEachHour(
            selection, (hour, rows, callsMax) -> CompletableFuture.completedFuture(query.add(rows)))
        .thenCompose(done -> query.report(growth));
  }

  private synchronized int add(List<RowEntry> entries) {
    QueryOptions options = access.options();
    rows += entries.size();
    if (rows > options.rows()) {
      throw new BadParameterException(
          "from, to: more than " + options.rows() + " rows; want a shorter range or fewer types");
    }
    access.account().take(ROW_BYTES * entries.size());
    Instant at = clock.instant();
    for (List<RowEntry> ofType : DirectoryScan.byType(entries)) {
      access.account().take(TYPE_BYTES);
      List<RowFill> fills =
          ofType.stream().map(row -> RowFill.of(row, options.layout().planner())).toList();
      typeHours.put(ofType.get(0).row(), TypeRows.of(fills, at));
    }
    return entries.size();
  }

  private CompletionStage<RowsReport> report(GrowthMeter growth) {
    List<TypeRows> sorted;
    synchronized (this) {
      sorted = List.copyOf(typeHours.values());
    }
    RowLayout layout = access.options().layout();
    List<TypeHour> widest =
        sorted.stream()
            .filter(type -> !type.isSealed())
            .sorted(Comparator.comparingLong(TypeRows::unsealedColumns).reversed())
            .limit(access.options().claims())
            .map(TypeRows::typeHour)
            .toList();
    return ClaimsReader.read(widest, access)
        .thenApply(
            claims -> new RowsReport(sorted, claims, layout, access.store()::placement, growth));
  }
}
