package hourglass.query.service;

import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.scan.DirectoryScan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Adds up the directory entries of the rows that a query would read. */
final class PlanQuery {
  /** Guarded by this. */
  private Plan plan = Plan.NOTHING;

  private PlanQuery() {}

  static CompletionStage<Plan> run(EventQuery query, DirectoryScan counting) {
    PlanQuery running = new PlanQuery();
    return counting
        .forEachHour(
            query.selection(),
            (hour, rows, callsMax) ->
                CompletableFuture.completedFuture(running.addHour(Plan.ofHour(query, rows))))
        .thenApply(done -> running.plan());
  }

  private synchronized Plan addHour(Plan hour) {
    plan = plan.plus(hour);
    return plan;
  }

  private synchronized Plan plan() {
    return plan;
  }
}
