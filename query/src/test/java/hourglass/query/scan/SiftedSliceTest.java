package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Slice;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The filter ahead takes every event and that of the walk none, which shows the source of a
 * verdict.
 */
class SiftedSliceTest {
  private static final int COLUMNS = 10;
  private static final EventFilter ALL = filter("n");
  private static final EventFilter NONE = filter("absent");

  private static EventFilter filter(String contains) {
    return EventFilter.of(new Selection(new TreeSet<>(), TimeRange.ALL, contains, ""));
  }

  private static SiftedSlice slice(boolean ascending, boolean sifted) {
    byte[] payload = {'{', '"', 'n', '"', ':', '1', '}'};
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, COLUMNS * payload.length);
    for (int i = 0; i < COLUMNS; i++) {
      columns.add(i, 0, payload, 0, payload.length);
    }
    return new SiftedSlice("type", new Slice(columns.build(), false), ascending, sifted);
  }

  private static List<Integer> seenAhead(SiftedSlice slice) {
    return IntStream.range(0, COLUMNS).filter(i -> slice.isTakenBy(NONE, i)).boxed().toList();
  }

  @Test
  void theWalkUsesResultsComputedAhead() {
    SiftedSlice slice = slice(true, true);
    assertThat(slice.isTakenBy(NONE, 0)).isFalse();
    slice.sift(ALL, () -> false);
    assertThat(seenAhead(slice)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void eventsAreFilteredInTheDirectionOfTheWalk() {
    SiftedSlice slice = slice(false, true);
    for (int i = COLUMNS - 1; i >= 4; i--) {
      assertThat(slice.isTakenBy(NONE, i)).isFalse();
    }
    slice.sift(ALL, () -> false);
    assertThat(seenAhead(slice)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void anAbandonedSliceIsNotFiltered() {
    SiftedSlice left = slice(true, true);
    left.leave();
    left.sift(ALL, () -> false);
    assertThat(seenAhead(left)).isEmpty();
    SiftedSlice gone = slice(true, true);
    gone.sift(ALL, () -> true);
    assertThat(seenAhead(gone)).isEmpty();
  }

  @Test
  void withoutASieveTheWalkFilters() {
    SiftedSlice slice = slice(true, false);
    assertThat(slice.isTakenBy(ALL, 3)).isTrue();
    assertThat(slice.isTakenBy(NONE, 3)).isFalse();
  }
}
