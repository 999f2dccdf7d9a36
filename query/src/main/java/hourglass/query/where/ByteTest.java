package hourglass.query.where;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A test of a payload's bytes that every payload passes for which an expression is true, if it has
 * no escapes; cheap beside reading it. Immutable.
 */
sealed interface ByteTest {
  /** Nothing can be said. */
  ByteTest ALWAYS = new All(List.of());

  /** Whether the bytes in {@code [from, to)} pass. */
  boolean isPassed(byte[] bytes, int from, int to);

  /** When to try it among others: what tells most payloads apart comes first. */
  int rank();

  /** Passed by what passes every one. */
  static ByteTest all(ByteTest... tests) {
    Set<ByteTest> flat = new LinkedHashSet<>();
    for (ByteTest test : tests) {
      if (test instanceof All all) {
        flat.addAll(all.tests);
      } else {
        flat.add(test);
      }
    }
    List<ByteTest> sorted = new ArrayList<>(flat);
    sorted.sort(Comparator.comparing(ByteTest::rank));
    return sorted.size() == 1 ? sorted.get(0) : new All(List.copyOf(sorted));
  }

  /** Passed by what passes one of them. */
  static ByteTest any(List<ByteTest> tests) {
    return tests.isEmpty() || tests.contains(ALWAYS) ? ALWAYS : new Any(List.copyOf(tests));
  }

  /** Whether a text is there. */
  record Text(String text, TextSearch search, int rank) implements ByteTest {
    static final int VALUE = 0;
    static final int NAME = 1;

    @Override
    public boolean isPassed(byte[] bytes, int from, int to) {
      return search.isIn(bytes, from, to);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Text that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /** Whether every one of some tests is passed. */
  record All(List<ByteTest> tests) implements ByteTest {
    @Override
    public int rank() {
      return tests.stream().mapToInt(ByteTest::rank).min().orElse(Text.NAME);
    }

    @Override
    public boolean isPassed(byte[] bytes, int from, int to) {
      for (ByteTest test : tests) {
        if (!test.isPassed(bytes, from, to)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Whether one of some tests is passed. */
  record Any(List<ByteTest> tests) implements ByteTest {
    @Override
    public int rank() {
      return tests.stream().mapToInt(ByteTest::rank).max().orElse(Text.NAME);
    }

    @Override
    public boolean isPassed(byte[] bytes, int from, int to) {
      for (ByteTest test : tests) {
        if (test.isPassed(bytes, from, to)) {
          return true;
        }
      }
      return false;
    }
  }
}
