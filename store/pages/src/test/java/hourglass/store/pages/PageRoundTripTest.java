package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that pages return the columns they were made from. */
class PageRoundTripTest {
  private final PageCodec codec = new PageCodec();

  @AfterEach
  void close() {
    codec.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 20, 300, 3000})
  void randomColumnsRoundTrip(int max) {
    for (long seed = 0; seed < 60_000 / (max + 100); seed++) {
      Columns columns = new RandomColumns(max * 1_000_000L + seed).next(max);
      try {
        assertRoundTrip(columns);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + (max * 1_000_000L + seed), e);
      }
    }
  }

  @Test
  void emptyPayloadsRoundTrip() {
    assertRoundTrip(RandomColumns.of(100, i -> new byte[0]));
    assertRoundTrip(RandomColumns.of(1, i -> new byte[0]));
  }

  @Test
  void manyColumnsRoundTrip() {
    assertRoundTrip(
        RandomColumns.of(100_000, i -> ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void largePayloadsRoundTrip() {
    byte[] noise = new byte[1 << 20];
    new Random(1).nextBytes(noise);
    assertRoundTrip(RandomColumns.of(3, i -> noise));
    String text = "{\"text\":\"" + "hourglass ".repeat(100_000) + "\"}";
    assertRoundTrip(RandomColumns.of(30, i -> text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aPartOfLargerColumnsRoundTrips() {
    Columns columns = new RandomColumns(5).next(1000);
    int middle = columns.size() / 2;
    assertRoundTrip(columns.subColumns(middle / 2, middle + 1));
  }

  @Test
  void extremeNamesRoundTrip() {
    ColumnsBuilder builder = new ColumnsBuilder(4, 4);
    builder.add(0, 0x8080808080808080L, new byte[] {1}, 0, 1);
    builder.add(0, 0x7f7f7f7f7f7f7f7fL, new byte[] {2}, 0, 1);
    builder.add(0x0fffffffffffffffL, 0x8080808080808080L, new byte[] {3}, 0, 1);
    builder.add(0x0fffffffffffffffL, 0x7f7f7f7f7f7f7f7fL, new byte[] {4}, 0, 1);
    assertRoundTrip(builder.build());
  }

  @Test
  void pagesOfEveryCompressionLevelAreReadAlike() {
    Columns columns = new RandomColumns(11).next(2000);
    for (int level : new int[] {1, 2, 3, 9, 19}) {
      try (PageCodec other = new PageCodec(level, true)) {
        Pages.assertSame(codec.decode(other.encode(columns)), columns);
      }
    }
  }

  @Test
  void encodingIsDeterministic() {
    Columns columns = new RandomColumns(12).next(2000);
    byte[] first = codec.encode(columns);
    codec.encode(new RandomColumns(13).next(3000));
    assertThat(codec.encode(columns)).isEqualTo(first);
  }

  @Test
  void emptyAndTooLargeColumnsAreRefused() {
    assertThatThrownBy(() -> codec.encode(Columns.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("page: 0 columns, not 1 to 1048576");
    byte[] half = new byte[17 << 20];
    assertThatThrownBy(() -> codec.encode(RandomColumns.of(2, i -> half)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("page: 35651584 bytes > 33554432");
    Columns names = codec.decodeNames(codec.encode(RandomColumns.ofTexts("a", "b")));
    assertThatThrownBy(() -> codec.encode(names))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("page: names without their payloads");
  }

  private void assertRoundTrip(Columns columns) {
    byte[] page = codec.encode(columns);
    Pages.assertSame(codec.decode(page), columns);
    Columns names = codec.decodeNames(page);
    Pages.assertSameNames(names, columns);
    assertThat(names.bytes()).isEmpty();
  }
}
