package hourglass.load.importing;

import java.util.ArrayList;
import java.util.List;

/** The number of events that were refused for one reason, and the places of the first. */
final class RefusedEvents {
  private static final int PLACES_MAX = 10;

  private final List<Place> places = new ArrayList<>();
  private long count;

  /**
   * Adds events of one answer.
   *
   * @param some some of their places
   */
  void add(long events, List<Place> some) {
    count += events;
    places.addAll(some.subList(0, Math.min(some.size(), PLACES_MAX)));
    // Answers arrive in any order.
    places.sort(java.util.Comparator.comparing(Place::input).thenComparing(Place::number));
    if (places.size() > PLACES_MAX) {
      places.subList(PLACES_MAX, places.size()).clear();
    }
  }

  long count() {
    return count;
  }

  /** Returns the first places that are known. */
  List<Place> places() {
    return List.copyOf(places);
  }
}
