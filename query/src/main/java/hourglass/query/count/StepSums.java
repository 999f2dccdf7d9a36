package hourglass.query.count;

import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import java.util.HashMap;
import java.util.Map;

/** Counts events by step. Events arrive in ascending order, so those of one step are adjacent. */
final class StepSums implements EventSink {
  private final CountQuery question;
  private final Map<Integer, Long> columnsByStep = new HashMap<>();
  private long columns;
  private long bytes;
  private long stepEndTicks = Long.MIN_VALUE;
  private int step;
  private long inStep;

  StepSums(CountQuery question) {
    this.question = question;
  }

  @Override
  public Verdict offer(RowReader row, Columns pack, int i) {
    long ticks = pack.ticks(i);
    if (ticks >= stepEndTicks) {
      endStep();
      step = question.step(ticks);
      stepEndTicks = question.originTicks() + (step + 1L) * question.stepTicks();
    }
    inStep++;
    columns++;
    bytes += pack.length(i);
    return Verdict.TAKEN;
  }

  private void endStep() {
    if (inStep > 0) {
      columnsByStep.merge(step, inStep, Long::sum);
      inStep = 0;
    }
  }

  RowCounts toCounts() {
    endStep();
    return new RowCounts(columns, bytes, columnsByStep);
  }
}
