package hourglass.store;

import java.util.concurrent.CompletionStage;

/**
 * The log of late arrivals. Without it, a tail would miss columns that become visible behind its
 * position.
 */
public interface LateArrivalLog {

  /**
   * Reads records of late arrivals. A column is late if it becomes visible more than {@code settle}
   * after its own time. The engine sets {@code settle}, and may treat more columns as late. The
   * record is stored before the write is acknowledged. As far as the engine knows, a column that
   * was in its type hour before is not recorded again.
   *
   * <p>So a tick and a place describe everything that a reader has delivered: the columns before
   * the tick that have no record, and the records up to the place.
   *
   * @param after exclusive; {@link LateArrivalPlace#NEWEST}: no record, only the settled tick
   * @param namesMax the answer ends with the record that reaches this number of names; at least 1
   */
  CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax);
}
