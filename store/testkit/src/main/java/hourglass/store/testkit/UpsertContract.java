package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.column;
import static hourglass.store.testkit.StoreFixture.name;
import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.store.Limitation;
import hourglass.store.Mutation;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A repeat of a write changes nothing, and of two payloads for one name the larger wins in any
 * order. A retry is thus always safe.
 */
interface UpsertContract extends StoreFixture {
  /**
   * Pairs of payloads, the smaller one first: unsigned bytes, and a prefix before a longer text.
   */
  List<List<String>> SMALLER_AND_LARGER =
      List.of(
          List.of("", "a"),
          List.of("a", "b"),
          List.of("aa", "b"),
          List.of("a", "a\0"),
          List.of("\u007f", "\u0080"),
          List.of("\0", "\u00ff"),
          List.of("same length 1", "same length 2"));

  @Test
  default void aWriteIsReadBackUnchanged() {
    store().write(ROW, seconds(0, 100));
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 100));
  }

  @Test
  default void aPayloadMayBeEmpty() {
    store().write(ROW, column(1, ""), column(2, "two"), column(3, ""));
    assertThat(store().read(ROW)).containsExactly(column(1, ""), column(2, "two"), column(3, ""));
  }

  @Test
  default void allPayloadsOfARowMayBeEmpty() {
    store().write(ROW, column(1, ""), column(2, ""));
    store().write(ROW, column(2, ""), column(3, ""));
    assertThat(store().read(ROW)).containsExactly(column(1, ""), column(2, ""), column(3, ""));
  }

  @Test
  default void aPayloadMayContainAnyBytes() {
    String everyByte =
        IntStream.range(0, 256).mapToObj(Character::toString).collect(Collectors.joining());
    store().write(ROW, column(1, everyByte));
    assertThat(store().read(ROW)).containsExactly(column(1, everyByte));
  }

  @Test
  default void aPayloadMayBeAMebibyteLong() {
    Random random = new Random(1);
    String mebibyte =
        random
            .ints(1 << 20, 0, 256)
            .collect(StringBuilder::new, (text, b) -> text.append((char) b), StringBuilder::append)
            .toString();
    store().write(ROW, column(1, "before"), column(2, mebibyte), column(3, "after"));
    assertThat(store().read(ROW))
        .containsExactly(column(1, "before"), column(2, mebibyte), column(3, "after"));
  }

  @Test
  default void writesAddUpInAnyOrder() {
    store().write(ROW, seconds(50, 60));
    store().write(ROW, seconds(0, 10));
    store().write(ROW, column(55, "event 55"), column(5, "event 5"), column(30, "event 30"));
    assertThat(store().read(ROW))
        .containsExactlyElementsOf(
            IntStream.range(0, 60)
                .filter(i -> i < 10 || i == 30 || i >= 50)
                .mapToObj(i -> column(i, "event " + i))
                .toList());
  }

  @Test
  default void oneWriteFillsManyRows() {
    RowKey other = new RowKey(HOUR, "search", 7);
    RowKey later = new RowKey(HOUR.next(), "checkout", 0);
    Column inLater = new Column(name(3600), "next hour");
    store()
        .write(
            List.of(
                new Mutation(ROW, Column.pack(seconds(0, 3))),
                new Mutation(other, Column.pack(seconds(2, 5))),
                new Mutation(later, Column.pack(List.of(inLater)))));
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 3));
    assertThat(store().read(other)).isEqualTo(seconds(2, 5));
    assertThat(store().read(later)).containsExactly(inLater);
  }

  @Test
  default void anEmptyWriteCreatesNoRow() {
    store().write(List.of());
    assertThat(store().rows(HOUR)).isEmpty();
  }

  @Test
  default void twoMutationsOfARowInAWriteAreOneRow() {
    store()
        .write(
            List.of(
                new Mutation(ROW, Column.pack(seconds(0, 6))),
                new Mutation(ROW, Column.pack(seconds(3, 9)))));
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 9));
  }

  @Test
  default void aRepeatChangesNothing() {
    store().write(ROW, seconds(0, 10));
    store().write(ROW, seconds(0, 10));
    store().write(ROW, seconds(4, 6));
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 10));
  }

  @Test
  default void aRepeatAfterAReopenChangesNothing() {
    store().write(ROW, seconds(0, 10));
    reopen();
    store().write(ROW, seconds(0, 10));
    assertThat(store().read(ROW)).isEqualTo(seconds(0, 10));
  }

  @Test
  default void theLargerPayloadReplacesTheSmaller() {
    store().write(ROW, conflicting(0));
    store().write(ROW, conflicting(1));
    assertThat(store().read(ROW)).isEqualTo(conflicting(1));
  }

  @Test
  default void theSmallerPayloadLeavesTheLarger() {
    store().write(ROW, conflicting(1));
    store().write(ROW, conflicting(0));
    assertThat(store().read(ROW)).isEqualTo(conflicting(1));
  }

  @Test
  default void theLargerPayloadStaysWithinOneWrite() {
    for (int first = 0; first < 2; first++) {
      RowKey row = new RowKey(HOUR, "checkout", first);
      store()
          .write(
              List.of(
                  new Mutation(row, Column.pack(conflicting(first))),
                  new Mutation(row, Column.pack(conflicting(1 - first)))));
      assertThat(store().read(row)).as("larger one at %d", 1 - first).isEqualTo(conflicting(1));
    }
  }

  @Test
  default void theLargerPayloadStaysAcrossAReopen() {
    RowKey other = new RowKey(HOUR, "checkout", 1);
    store().write(ROW, conflicting(0));
    store().write(other, conflicting(1));
    reopen();
    store().write(ROW, conflicting(1));
    store().write(other, conflicting(0));
    assertThat(store().read(ROW)).isEqualTo(conflicting(1));
    assertThat(store().read(other))
        .isEqualTo(conflicting(can(Limitation.FORGETS_ON_CLOSE) ? 1 : 0));
  }

  /** One column per pair of payloads, with the smaller (0) or the larger one (1). */
  private static List<Column> conflicting(int which) {
    return IntStream.range(0, SMALLER_AND_LARGER.size())
        .mapToObj(i -> column(i, SMALLER_AND_LARGER.get(i).get(which)))
        .toList();
  }
}
