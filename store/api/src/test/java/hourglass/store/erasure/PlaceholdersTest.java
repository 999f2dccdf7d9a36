package hourglass.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlaceholdersTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final long TICKS = HOUR.startTicks() + 1_000;

  /** The names of one tick, by their places in its order. */
  private static Columns names(long... places) {
    return columns(Arrays.stream(places).mapToObj(PlaceholdersTest::name).toList());
  }

  private static TimeUuid name(long place) {
    return new TimeUuid(TICKS, TimeUuid.sortable(place));
  }

  private static Columns columns(List<TimeUuid> names) {
    ColumnsBuilder all = new ColumnsBuilder(names.size(), 0);
    names.forEach(name -> all.add(name.ticks(), name.lsb(), new byte[0], 0, 0));
    return all.build();
  }

  private static List<TimeUuid> replaced(Columns names, Columns erased) {
    return list(Placeholders.replace(names, erased::contains));
  }

  private static List<TimeUuid> list(Columns names) {
    return IntStream.range(0, names.size()).mapToObj(names::id).toList();
  }

  @Test
  void namesWithoutErasedOnesStayTheSameObject() {
    Columns names = names(10, 20);
    assertThat(Placeholders.replace(names, names(15)::contains)).isSameAs(names);
    assertThat(Placeholders.replace(Columns.EMPTY, (ticks, lsb) -> true)).isSameAs(Columns.EMPTY);
  }

  @Test
  void namesAfterAKeptOneBecomeItsSuccessors() {
    assertThat(replaced(names(10, 20, 30, 40), names(20, 30)))
        .isEqualTo(list(names(10, 11, 12, 40)));
    assertThat(replaced(names(10, 20, 30), names(20, 30))).isEqualTo(list(names(10, 11, 12)));
  }

  @Test
  void namesBeforeTheFirstKeptOneBecomeItsPredecessors() {
    assertThat(replaced(names(10, 20, 30, 40), names(10, 20, 40)))
        .isEqualTo(list(names(28, 29, 30, 31)));
  }

  @Test
  void namesWithoutAKeptOneBecomeTheFirstOfTheirHour() {
    TimeUuid first = TimeUuid.first(HOUR.startTicks());
    assertThat(replaced(names(10, 20), names(10, 20))).containsExactly(first, first.successor());
  }

  @Test
  void placeholdersGoOnInTheNextTickAndThePreviousOne() {
    TimeUuid last = TimeUuid.first(TICKS + 1).predecessor();
    TimeUuid far = TimeUuid.first(TICKS + 100);
    assertThat(last.ticks()).isEqualTo(TICKS);
    assertThat(replaced(columns(List.of(last, far)), columns(List.of(far))))
        .containsExactly(last, TimeUuid.first(TICKS + 1));
    TimeUuid first = TimeUuid.first(TICKS + 1);
    assertThat(replaced(columns(List.of(name(10), first)), names(10))).containsExactly(last, first);
  }

  @Test
  void aNameThatIsErasedLaterDoesNotComeBack() {
    assertThat(replaced(columns(replaced(names(10, 20), names(10))), names(20)))
        .isEqualTo(list(names(19, 21)));
    assertThat(replaced(columns(replaced(names(10, 20), names(20))), names(10)))
        .isEqualTo(list(names(9, 11)));
    assertThat(replaced(columns(replaced(names(10, 20, 30), names(20))), names(10)))
        .isEqualTo(list(names(9, 11, 30)));
    assertThat(replaced(columns(replaced(names(10, 20, 30), names(10))), names(20)))
        .isEqualTo(list(names(19, 21, 30)));
  }

  @Test
  void namesWithoutAGapStay() {
    Columns names = names(10, 11, 12);
    assertThat(Placeholders.replace(names, names(11)::contains)).isSameAs(names);
  }

  @Test
  void aRecordKeepsItsNumberAndItsOrderAndLosesErasedNames() {
    Random random = new Random(Seed.next("PlaceholdersTest"));
    for (int round = 0; round < 200; round++) {
      List<TimeUuid> all = new ArrayList<>();
      for (int i = 1 + random.nextInt(30); i > 0; i--) {
        all.add(new TimeUuid(TICKS + random.nextInt(3), random.nextLong()));
      }
      Collections.sort(all);
      Columns names = columns(all);
      List<TimeUuid> erased = all.stream().filter(name -> random.nextInt(3) > 0).toList();
      List<TimeUuid> left = replaced(names, columns(erased));
      assertThat(left).hasSize(all.size()).isSorted().doesNotHaveDuplicates();
      assertThat(left).doesNotContainAnyElementsOf(erased.isEmpty() ? List.of(name(0)) : erased);
      assertThat(left).allMatch(name -> name.hour().equals(HOUR));
      for (int i = 0; i < all.size(); i++) {
        if (!erased.contains(all.get(i))) {
          assertThat(left.get(i)).isEqualTo(all.get(i));
        }
      }
    }
  }
}
