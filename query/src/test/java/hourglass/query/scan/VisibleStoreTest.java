package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.TypePatterns;
import hourglass.bucketing.Hour;
import hourglass.store.ForwardingStore;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VisibleStoreTest {
  private final OracleStore oracle = new OracleStore();

  /** A store that lacks a part of each of two types. */
  private final WideColumnStore lacking =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return oracle;
        }

        @Override
        public List<String> missing(Hour from, Hour to, Predicate<String> types) {
          return Stream.of("checkout", "secret").filter(types).toList();
        }
      };

  @Test
  void missingPartsOfHiddenTypesAreNotNamed() {
    TypePatterns types = TypePatterns.of(List.of("checkout"));
    VisibleStore visible = new VisibleStore(lacking, RowSource.of(lacking), types);
    assertThat(visible.missing(Hour.FIRST, Hour.LAST)).containsExactly("checkout");
    assertThat(visible.missing(Hour.FIRST, Hour.LAST, "secret"::equals)).isEmpty();
  }
}
