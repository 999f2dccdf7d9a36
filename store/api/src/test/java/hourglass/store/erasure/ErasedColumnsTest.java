package hourglass.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a record of names keeps while columns are erased. */
class ErasedColumnsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);

  private static Columns seconds(int... seconds) {
    long[] ticks = new long[seconds.length];
    long[] lsbs = new long[seconds.length];
    for (int i = 0; i < seconds.length; i++) {
      ticks[i] = HOUR.startTicks() + seconds[i] * Ticks.PER_SECOND;
      lsbs[i] = Long.MIN_VALUE + seconds[i];
    }
    return Columns.ofNames(ticks, lsbs, seconds.length);
  }

  private static Erasure erasure(Columns names, String... blanked) {
    TimeUuid id = new TimeUuid(HOUR.endTicks() + names.size(), Long.MIN_VALUE);
    return new Erasure(id, List.of(new ErasedRow(ROW, names)), List.of(blanked));
  }

  private static List<Long> left(ErasedColumns erased) {
    Columns names = erased.withoutErased(ROW.typeHour(), seconds(1, 2, 3, 4));
    return List.of(0, 1, 2, 3).subList(0, names.size()).stream()
        .map(i -> (names.ticks(i) - HOUR.startTicks()) / Ticks.PER_SECOND)
        .toList();
  }

  @Test
  void namesOfErasedColumnsAreLeftOutWhetherOrNotTheirBytesAreGone() {
    Erasure erasure = erasure(seconds(2, 3, 9));
    List<RememberedColumns> remembered = List.of(RememberedColumns.of(erasure));
    assertThat(left(ErasedColumns.of(List.of(erasure), remembered))).containsExactly(1L, 4L);
    assertThat(left(ErasedColumns.of(List.of(), remembered))).containsExactly(1L, 4L);
  }

  @Test
  void namesOfBlankedColumnsStay() {
    Erasure blanking = erasure(seconds(1, 2), "user");
    Erasure erasure = erasure(seconds(2, 3, 4));
    List<RememberedColumns> remembered =
        List.of(RememberedColumns.of(blanking), RememberedColumns.of(erasure));
    assertThat(left(ErasedColumns.of(List.of(blanking, erasure), remembered))).containsExactly(1L);
  }

  @Test
  void namesOfWhichNoneIsErasedAreTheSameObject() {
    Columns names = seconds(1, 2);
    ErasedColumns none = ErasedColumns.NONE;
    Erasure other = erasure(seconds(7));
    ErasedColumns some = ErasedColumns.of(List.of(other), List.of(RememberedColumns.of(other)));
    assertThat(none.withoutErased(ROW.typeHour(), names)).isSameAs(names);
    assertThat(some.withoutErased(ROW.typeHour(), names)).isSameAs(names);
  }
}
