package hourglass.query.count;

import hourglass.query.scan.EventPass;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts events by a pass that reads all of them. Thread-safe. */
public final class ScanCounter implements EventCounter {
  private final EventPass pass;

  public ScanCounter(EventPass pass) {
    this.pass = pass;
  }

  @Override
  public CompletionStage<RowCounts> count(
      List<RowEntry> rows, ColumnRange range, long originTicks, long stepTicks) {
    StepSums sums = new StepSums(new CountQuery(rows.get(0).row(), range, originTicks, stepTicks));
    return pass.read(rows, range, sums).thenApply(done -> sums.toCounts());
  }
}
