package hourglass.query;

import hourglass.query.rows.RowFill;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Adds up what the directory tells of the rows that a query would read. */
final class PlanQuery {
  private final EventQuery query;
  private final QueryOptions options;

  /** Guarded by this. */
  private Plan plan = Plan.NOTHING;

  private PlanQuery(EventQuery query, QueryOptions options) {
    this.query = query;
    this.options = options;
  }

  static CompletionStage<Plan> run(EventQuery query, Counting counting, QueryOptions options) {
    PlanQuery running = new PlanQuery(query, options);
    return counting
        .forEachHour(
            query.selection(),
            (hour, rows, callsMax) -> CompletableFuture.completedFuture(running.add(rows)))
        .thenApply(done -> running.plan());
  }

  private Plan add(List<RowEntry> rows) {
    Plan ofHour =
        rows.stream()
            .filter(query::mayBeIn)
            .map(row -> RowFill.of(row, options.layout().planner()))
            .map(row -> new Plan(0, 1, row.columns(), row.bytes()))
            .reduce(Plan.NOTHING, Plan::plus);
    return ofHour.rows() == 0 ? ofHour : addHour(ofHour.plus(new Plan(1, 0, 0, 0)));
  }

  private synchronized Plan addHour(Plan hour) {
    plan = plan.plus(hour);
    return plan;
  }

  private synchronized Plan plan() {
    return plan;
  }
}
