package hourglass.query.where;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A cheap test of a payload's bytes. A payload without escapes passes it if the expression is true.
 * Immutable.
 */
sealed interface ByteTest {
  ByteTest ALWAYS = new All(List.of());

  boolean isPassed(byte[] bytes, int from, int to);

  /** The most selective tests have the lowest rank. */
  int rank();

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

  static ByteTest any(List<ByteTest> tests) {
    return tests.isEmpty() || tests.contains(ALWAYS) ? ALWAYS : new Any(List.copyOf(tests));
  }

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
