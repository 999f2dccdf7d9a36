package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
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

  private static List<Range> union(List<Range> ranges, int rangesMax) {
    List<DroppedHours> some = ranges.stream().map(DroppedHours::of).toList();
    return DroppedHours.union(some, rangesMax, 0).ranges();
  }

  private static DroppedHours type(int after, String type) {
    return DroppedHours.of(new TypeHour(hour(after), type));
  }

  @Test
  void typesOfAnHourAreNamedAfterWholeHours() {
    DroppedHours dropped =
        hours(2, 3).and(type(0, "search")).and(type(1, "a|b")).and(type(0, "checkout"));
    assertThat(dropped.names())
        .containsExactly(
            "2026-11-20T10..2026-11-20T11",
            "2026-11-20T08|checkout",
            "2026-11-20T08|search",
            "2026-11-20T09|a%7Cb");
    assertThat(dropped.within(hour(1), hour(2)).names())
        .containsExactly("2026-11-20T10", "2026-11-20T09|a%7Cb");
    assertThat(dropped.ofTypes("search"::equals).names())
        .containsExactly("2026-11-20T10..2026-11-20T11", "2026-11-20T08|search");
    assertThat(dropped.contains(hour(0))).isFalse();
  }

  @Test
  void aTypeOfADroppedHourIsNotNamedBesideIt() {
    assertThat(type(0, "checkout").and(hours(0))).isEqualTo(hours(0));
    assertThat(hours(0).and(type(0, "checkout"))).isEqualTo(hours(0));
    assertThat(type(0, "checkout").isWithin(hours(0))).isTrue();
    assertThat(type(0, "checkout").isWithin(type(0, "search"))).isFalse();
  }

  @Test
  void beyondTheBoundTheOldestTypesCountAsWholeHours() {
    List<DroppedHours> some = List.of(type(0, "a"), type(0, "b"), type(1, "a"), type(2, "a"));
    assertThat(DroppedHours.union(some, 9, 4).types()).hasSize(4);
    assertThat(DroppedHours.union(some, 9, 3))
        .isEqualTo(hours(0).and(type(1, "a")).and(type(2, "a")));
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
    assertThat(union(ranges, 10)).containsExactly(ranges.get(0));
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
    assertThat(union(ranges, 4)).isEqualTo(ranges);
    assertThat(union(ranges, 3))
        .containsExactly(ranges.get(0), new Range(hour(10), hour(13)), ranges.get(3));
    assertThat(union(ranges, 1)).containsExactly(new Range(hour(0), hour(20)));
  }

  @Test
  void anAnswerNamesTheFirstRangesAndCountsTheOthers() {
    DroppedHours many = hours(IntStream.range(0, 130).map(i -> 2 * i).toArray());
    assertThat(many.names()).hasSize(101).startsWith("2026-11-20T08").endsWith("and 30 others");
  }
}
