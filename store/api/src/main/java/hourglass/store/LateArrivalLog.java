package hourglass.store;

import java.util.concurrent.CompletionStage;

/**
 * The log of late arrivals. A tail follows the clock; without the log, it would miss every column
 * that becomes visible behind its position.
 */
public interface LateArrivalLog {

  /**
   * Reads records of late arrivals. A column is late if it becomes visible more than {@code settle}
   * after its own time; {@code settle} is an option of the engine, which may treat more columns as
   * late. The record is stored before the write is acknowledged. As far as the engine knows, a
   * column that was in its type hour before is not recorded again.
   *
   * <p>So a tick and a place describe everything that a reader has delivered: the columns before
   * the tick that have no record, and the records up to the place.
   *
   * @param after read the records behind this place; {@link LateArrivalPlace#START}: from the
   *     oldest; {@link LateArrivalPlace#NEWEST}: no record, only the settled tick
   * @param namesMax the answer ends with the record that reaches this number of names; at least 1
   */
  CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax);
}
