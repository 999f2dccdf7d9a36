package hourglass.query.advice;

import hourglass.bucketing.TypeHour;
import hourglass.query.BadParameterException;
import hourglass.query.QueryOptions;
import hourglass.query.RowLayout;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.StoreAccess;
import hourglass.store.RowEntry;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads the directories of the hours of a range, and the claims of their rows. Used by one thread.
 */
public final class RowsQuery {
  /** The memory of a row until its part of the answer is written. */
  private static final long ROW_BYTES = DirectoryScan.ROW_BYTES + 48;

  private static final long TYPE_BYTES = 96;

  private final StoreAccess access;
  private final Clock clock;
  private final List<TypeRows> typeHours = new ArrayList<>();
  private long rows;

  private RowsQuery(StoreAccess access, Clock clock) {
    this.access = access;
    this.clock = clock;
  }

  public static RowsReport run(
      DirectoryScan hours,
      StoreAccess access,
      GrowthMeter growth,
      Clock clock,
      QueryThread thread) {
    RowsQuery query = new RowsQuery(access, clock);
    hours.forEachHour((hour, rows) -> query.add(rows));
    return query.report(growth, thread);
  }

  private void add(List<RowEntry> entries) {
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
      typeHours.add(TypeRows.of(fills, at));
    }
  }

  private RowsReport report(GrowthMeter growth, QueryThread thread) {
    RowLayout layout = access.options().layout();
    List<TypeHour> widest =
        typeHours.stream()
            .filter(type -> !type.isSealed())
            .sorted(Comparator.comparingLong(TypeRows::unsealedColumns).reversed())
            .limit(access.options().claims())
            .map(TypeRows::typeHour)
            .toList();
    return new RowsReport(
        typeHours,
        ClaimsReader.read(widest, access, thread),
        layout,
        access.store()::placement,
        growth);
  }
}
