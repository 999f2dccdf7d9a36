package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.where.json.RandomJson;
import hourglass.store.Columns;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The values of expressions are those of the CEL library. */
class ExpressionTest {
  private static final int EXPRESSIONS = Tier.length(500, 5_000, 200_000);
  private static final int PAYLOADS = 4;

  @Test
  void valuesAndErrorsAgreeWithTheLibrary() {
    Random random = Seed.random(this);
    RandomJson json = new RandomJson(random);
    RandomExpressions expressions = new RandomExpressions(random);
    Map<String, Integer> kinds = new HashMap<>();
    for (int n = 0; n < EXPRESSIONS; n++) {
      String expression = expressions.expression();
      Where where = compiled(expression);
      if (where == null) {
        continue;
      }
      CelOracle oracle = CelOracle.of(expression);
      List<String> payloads = Stream.generate(json::payload).limit(PAYLOADS).toList();
      Columns columns = Payloads.of(payloads);
      for (int i = 0; i < PAYLOADS; i++) {
        Object expected = oracle.value(columns, i, "a");
        Object value = Values.of(expression, columns, i, "a");
        assertThat(OracleVariables.ours(value))
            .as("%s of %s", expression, payloads.get(i))
            .isEqualTo(expected);
        assertThat(where.matches(columns, i, "a", () -> false))
            .as("%s of %s", expression, payloads.get(i))
            .isEqualTo(expected.equals(true));
        kinds.merge(value.getClass().getSimpleName(), 1, Integer::sum);
      }
    }
    assertThat(kinds).hasSizeGreaterThan(8);
    assertThat(kinds.get("Special")).isLessThan(EXPRESSIONS * PAYLOADS * 9 / 10);
  }

  private static @Nullable Where compiled(String expression) {
    try {
      return Where.compile(expression);
    } catch (WhereException e) {
      return null;
    }
  }
}
