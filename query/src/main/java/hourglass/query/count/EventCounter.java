package hourglass.query.count;

import hourglass.store.ColumnRange;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts the distinct events of one type hour across all its rows. */
@FunctionalInterface
public interface EventCounter {

  /**
   * Counts events in total and by step.
   *
   * @param rows of one type hour, at least one
   * @param originTicks start of step 0, at or before the range
   */
  CompletionStage<RowCounts> count(
      List<RowEntry> rows, ColumnRange range, long originTicks, long stepTicks);
}
