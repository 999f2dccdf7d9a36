package hourglass.query.count;

import hourglass.store.ColumnRange;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts the distinct events of one type in one hour, whatever number of rows they lie in. */
@FunctionalInterface
public interface EventCounter {

  /**
   * Counts them, in all and by step.
   *
   * @param rows of one type and hour, at least one
   * @param originTicks where step 0 begins; at or before the range
   * @param stepTicks the length of a step
   */
  CompletionStage<RowCounts> count(
      List<RowEntry> rows, ColumnRange range, long originTicks, long stepTicks);
}
