package hourglass.store.cassandra;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the table of hours knows of one hour. Immutable.
 *
 * @param generation how often it was dropped
 * @param classes names of the retention classes that have rows in this generation
 * @param oldest the first generation of which anything is left; below {@code generation} if a drop
 *     has not come to its end
 * @param dropping whether the next generation may begin at any moment
 */
record HourState(int generation, Set<String> classes, int oldest, boolean dropping) {
  /** Stands among the classes of a generation that is about to be dropped. */
  static final String DROPPING = "dropping";

  HourState {
    classes = Set.copyOf(classes);
  }

  HourState with(String retentionClass) {
    Set<String> more = new HashSet<>(classes);
    more.add(retentionClass);
    return new HourState(generation, more, oldest, dropping);
  }

  /** Takes the records of an hour in any order. Not thread-safe. */
  static final class Builder {
    private final TreeMap<Integer, Set<String>> classesByGeneration = new TreeMap<>();
    private int dropping = -1;

    /**
     * @param retentionClass the name of one, "", or {@link HourState#DROPPING}
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
