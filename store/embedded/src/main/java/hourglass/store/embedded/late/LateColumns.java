package hourglass.store.embedded.late;

import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;

/**
 * The late columns of a mutation, up to the limit of one record.
 *
 * @param number the number of the mutation in its group, from 0
 * @param runs the positions of the columns, at least one
 */
public record LateColumns(int number, Mutation mutation, PositionRanges runs) {

  /** The late arrival for readers. */
  public LateArrival at(LateArrivalPlace place) {
    return new LateArrival(place, mutation.row(), runs.namesOf(mutation.columns()));
  }
}
