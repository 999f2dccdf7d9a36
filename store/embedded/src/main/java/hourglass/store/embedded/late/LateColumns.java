package hourglass.store.embedded.late;

import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;

/**
 * Which columns of a write came late: at most so many as a note may name.
 *
 * @param number of the mutation in its group, from 0
 * @param runs their positions, at least one
 */
public record LateColumns(int number, Mutation mutation, PositionRanges runs) {

  /** The note as readers have it. */
  public LateArrival at(LateArrivalPlace place) {
    return new LateArrival(place, mutation.row(), runs.namesOf(mutation.columns()));
  }
}
