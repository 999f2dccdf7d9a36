package hourglass.query.advice;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import hourglass.bucketing.Hour;
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
import java.util.Collection;
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

  /** Guarded by this. */
  private final TreeMap<Hour, Collection<TypeRows>> byHour = new TreeMap<>();

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
            selection,
            (hour, rows, callsMax) -> CompletableFuture.completedFuture(query.add(hour, rows)))
        .thenCompose(done -> query.report(growth));
  }

  private synchronized int add(Hour hour, List<RowEntry> entries) {
    QueryOptions options = access.options();
    rows += entries.size();
    if (rows > options.rows()) {
      throw new BadParameterException(
          "from, to: more than " + options.rows() + " rows; want a shorter range or fewer types");
    }
    long typeCount = entries.stream().map(entry -> entry.row().type()).distinct().count();
    access.account().take(ROW_BYTES * entries.size() + TYPE_BYTES * typeCount);
    Instant at = clock.instant();
    List<TypeRows> types =
        entries.stream()
            .map(entry -> RowFill.of(entry, options.layout().planner()))
            .collect(groupingBy(fill -> fill.entry().row().type(), TreeMap::new, toList()))
            .values()
            .stream()
            .map(fills -> TypeRows.of(fills, at))
            .toList();
    byHour.put(hour, types);
    return entries.size();
  }

  private synchronized List<TypeRows> typeHours() {
    return byHour.values().stream().flatMap(Collection::stream).toList();
  }

  private CompletionStage<RowsReport> report(GrowthMeter growth) {
    List<TypeRows> typeHours = typeHours();
    RowLayout layout = access.options().layout();
    List<TypeHour> widest =
        typeHours.stream()
            .filter(type -> !type.isSealed())
            .sorted(Comparator.comparingLong(TypeRows::unsealedColumns).reversed())
            .limit(access.options().claims())
            .map(TypeRows::typeHour)
            .toList();
    return ClaimsReader.read(widest, access)
        .thenApply(
            claims -> new RowsReport(typeHours, claims, layout, access.store()::placement, growth));
  }
}
