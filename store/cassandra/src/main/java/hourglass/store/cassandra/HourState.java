package hourglass.store.cassandra;

import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;

/**
 * The state of one hour in the table of hours. Immutable.
 *
 * @param generation the number of times that the hour was dropped
 * @param classes the retention classes with rows in this generation
 * @param oldest the first generation with data; below {@code generation} if a drop is unfinished
 * @param dropping whether the next generation may begin at any moment
 */
record HourState(int generation, Set<String> classes, int oldest, boolean dropping) {
  /** The pseudo-class of a generation that is about to be dropped. */
  static final String DROPPING = "dropping";

  HourState {
    classes = Set.copyOf(classes);
  }

  static HourState of(SortedMap<Integer, Set<String>> classesByGeneration) {
    if (classesByGeneration.isEmpty()) {
      return new HourState(0, Set.of(), 0, false);
    }
    int generation = classesByGeneration.lastKey();
    Set<String> classes = new HashSet<>(classesByGeneration.get(generation));
    classes.remove("");
    boolean dropping = classes.remove(DROPPING);
    return new HourState(generation, classes, classesByGeneration.firstKey(), dropping);
  }

  /** Whether rows were dropped, or may be from now on. */
  boolean hasDropped() {
    return generation > 0 || dropping;
  }

  HourState with(String retentionClass) {
    Set<String> more = new HashSet<>(classes);
    more.add(retentionClass);
    return new HourState(generation, more, oldest, dropping);
  }
}
