package hourglass.query.fair;

import com.google.common.collect.EnumMultiset;
import com.google.common.collect.Multiset;
import hourglass.query.fair.Places.Place;
import hourglass.query.fair.Places.State;
import java.util.List;
import java.util.function.Predicate;

/**
 * The numbers of queries in each state, and whether they leave room for another one. Guarded by its
 * {@link Places}.
 */
final class TakenPlaces {
  private final PlaceLimits limits;
  private final Predicate<Object> hasMemory;
  private final Multiset<State> all = EnumMultiset.create(State.class);
  private final Multiset<State> large = EnumMultiset.create(State.class);

  /**
   * @param hasMemory whether there is memory for one more query of a client that is not small
   */
  TakenPlaces(PlaceLimits limits, Predicate<Object> hasMemory) {
    this.limits = limits;
    this.hasMemory = hasMemory;
  }

  static int begun(Multiset<State> states) {
    return states.size() - states.count(State.WAITING);
  }

  int begun() {
    return begun(all);
  }

  int count(State state) {
    return all.count(state);
  }

  /** Returns the counts to which a query of this size contributes. */
  List<Multiset<State>> counts(boolean isLarge) {
    return isLarge ? List.of(all, large) : List.of(all);
  }

  boolean areAllTaken() {
    return all.count(State.WORKING) == limits.places();
  }

  boolean haveRoomFor(Place place) {
    return havePlaceFor(place) && haveCapacityFor(place);
  }

  boolean havePlaceFor(Place place) {
    return all.count(State.WORKING) < limits.places()
        && (place.isSmall() || large.count(State.WORKING) < limits.places() - limits.reserved());
  }

  /** Whether a query may begin, besides those that rest and return. */
  boolean haveCapacityFor(Place place) {
    return !place.isIn(State.WAITING)
        || (place.isSmall()
            ? begun(all) < limits.begunMax() + limits.places()
            : begun(large) < limits.begunMax() && hasMemory.test(place.client()));
  }

  /** Whether a query that may not begin lacks nothing but memory. */
  boolean lackMemoryAlone(Place wants) {
    return !wants.isSmall() && begun(large) < limits.begunMax();
  }

  /** Whether more queries than allowed wait to begin, among those that count like this one. */
  boolean areAwaitedByTooMany(boolean isLarge) {
    int largeOnes = large.count(State.WAITING);
    int alike = isLarge ? largeOnes : all.count(State.WAITING) - largeOnes;
    return alike > limits.waitingMax();
  }

  /** Returns the reason for a refusal. */
  String refusal() {
    return "no place for this query: %d queries are at work (%d of %d places take large ones), %d answers wait for their clients, %d queries wait to begin"
        .formatted(
            all.count(State.WORKING),
            limits.places() - limits.reserved(),
            limits.places(),
            all.count(State.RESTING),
            all.count(State.WAITING));
  }
}
