package hourglass.store.cassandra;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state of one hour in the table of hours. Immutable.
 *
 * @param generation how often the hour was dropped
 * @param classes retention classes with rows in this generation
 * @param oldest first generation with remaining data; below {@code generation} if a drop is
 *     unfinished
 * @param dropping whether the next generation may begin at any moment
 */
record HourState(int generation, Set<String> classes, int oldest, boolean dropping) {
  /** Pseudo-class of a generation that is about to be dropped. */
  static final String DROPPING = "dropping";

  HourState {
    classes = Set.copyOf(classes);
  }

  HourState with(String retentionClass) {
    Set<String> more = new HashSet<>(classes);
    more.add(retentionClass);
    return new HourState(generation, more, oldest, dropping);
  }

  /** Collects the records of an hour, in any order. Not thread-safe. */
  static final class Builder {
    private final TreeMap<Integer, Set<String>> classesByGeneration = new TreeMap<>();
    private int dropping = -1;

    /**
     * @param retentionClass a class name, "", or {@link HourState#DROPPING}
     */
    void add(int generation, String retentionClass) {
      Set<String> classes = classesByGeneration.computeIfAbsent(generation, any -> new HashSet<>());
      if (retentionClass.equals(DROPPING)) {
        dropping = Math.max(dropping, generation);
      } else if (!retentionClass.isEmpty()) {
        classes.add(retentionClass);
      }
    }

    HourState build() {
      return classesByGeneration.isEmpty()
          ? new HourState(0, Set.of(), 0, false)
          : new HourState(
              classesByGeneration.lastKey(),
              classesByGeneration.lastEntry().getValue(),
              classesByGeneration.firstKey(),
              dropping == classesByGeneration.lastKey());
    }
  }
}
