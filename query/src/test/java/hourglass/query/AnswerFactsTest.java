package hourglass.query;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerFactsTest {
  @Test
  void joinedFactsCombineBothAnswers() {
    RowKey a = new RowKey(Hour.parse("2026-11-20T08"), "a", 0);
    RowKey b = new RowKey(Hour.parse("2026-11-20T08"), "b", 0);
    AnswerFacts first = new AnswerFacts(3, List.of(b), List.of("x", "y"), false, "cursor", null);
    AnswerFacts second = new AnswerFacts(4, List.of(a, b), List.of("y", "z"), true, null, null);
    assertThat(first.and(second))
        .isEqualTo(new AnswerFacts(7, List.of(a, b), List.of("x", "y", "z"), false, null, null));
    AnswerFacts whole = AnswerFacts.lacking(List.of());
    assertThat(whole.and(whole)).isEqualTo(whole);
  }
}
