package hourglass.query;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.DroppedHours;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerFactsTest {
  @Test
  void joinedFactsCombineBothAnswers() {
    RowKey a = new RowKey(Hour.parse("2026-11-20T08"), "a", 0);
    RowKey b = new RowKey(Hour.parse("2026-11-20T08"), "b", 0);
    DroppedHours dropped = DroppedHours.of(List.of(a.hour()));
    Gaps some = new Gaps(List.of("x", "y"), DroppedHours.NONE);
    Gaps others = new Gaps(List.of("y", "z"), dropped);
    AnswerFacts first = new AnswerFacts(3, List.of(b), some, false, "cursor", null);
    AnswerFacts second = new AnswerFacts(4, List.of(a, b), others, true, null, null);
    Gaps all = new Gaps(List.of("x", "y", "z"), dropped);
    assertThat(first.and(second))
        .isEqualTo(new AnswerFacts(7, List.of(a, b), all, false, null, null));
    AnswerFacts whole = AnswerFacts.of(Gaps.NONE);
    assertThat(whole.and(whole)).isEqualTo(whole);
  }
}
