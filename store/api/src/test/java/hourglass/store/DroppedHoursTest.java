package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.store.DroppedHours.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DroppedHoursTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private static Hour hour(int after) {
    return new Hour(HOUR.epochHours() + after);
  }

  private static DroppedHours hours(int... after) {
    return DroppedHours.of(IntStream.of(after).mapToObj(DroppedHoursTest::hour).toList());
  }

  @Test
  void adjacentHoursAreOneRange() {
    assertThat(hours(4, 0, 1, 2, 2).names())
        .containsExactly("2026-11-20T08..2026-11-20T10", "2026-11-20T12");
    assertThat(hours(0, 1).and(hours(2))).isEqualTo(hours(0, 1, 2));
    assertThat(hours(0, 4).and(hours(1, 2, 3))).isEqualTo(hours(0, 1, 2, 3, 4));
    assertThat(hours().and(hours(7))).isEqualTo(hours(7));
    assertThat(hours(7).and(DroppedHours.NONE)).isEqualTo(hours(7));
  }

  @Test
  void aRangeInsideAnotherChangesNothing() {
    List<Range> ranges = List.of(new Range(hour(0), hour(9)), new Range(hour(3), hour(4)));
    assertThat(DroppedHours.of(ranges, 10).ranges()).containsExactly(ranges.get(0));
  }

  @Test
  void rangesAreCutToTheHoursOfAQuestion() {
    DroppedHours dropped = hours(0, 1, 2, 5, 9);
    assertThat(dropped.within(hour(1), hour(5))).isEqualTo(hours(1, 2, 5));
    assertThat(dropped.within(hour(3), hour(4)).isEmpty()).isTrue();
    assertThat(dropped.within(hour(4), hour(3)).isEmpty()).isTrue();
    assertThat(dropped.contains(hour(2))).isTrue();
    assertThat(dropped.contains(hour(3))).isFalse();
  }

  @Test
  void beyondTheBoundTheClosestRangesBecomeOne() {
    List<Range> ranges = new ArrayList<>();
    for (int after : new int[] {0, 10, 13, 20}) {
      ranges.add(new Range(hour(after), hour(after)));
    }
    assertThat(DroppedHours.of(ranges, 4).ranges()).isEqualTo(ranges);
    assertThat(DroppedHours.of(ranges, 3).ranges())
        .containsExactly(ranges.get(0), new Range(hour(10), hour(13)), ranges.get(3));
    assertThat(DroppedHours.of(ranges, 1).ranges()).containsExactly(new Range(hour(0), hour(20)));
  }

  @Test
  void anAnswerNamesTheFirstRangesAndCountsTheOthers() {
    DroppedHours many = hours(IntStream.range(0, 130).map(i -> 2 * i).toArray());
    assertThat(many.names()).hasSize(101).startsWith("2026-11-20T08").endsWith("and 30 others");
  }
}
