package hourglass.store.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.Spans;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import hourglass.store.TextFilter;
import hourglass.store.pages.PageCodec.PageBytes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Damage is reported, and never becomes data. */
class PageDamageTest {
  private final PageCodec codec = new PageCodec();

  @Test
  void everyFlippedBitIsDetected() {
    byte[] page = codec.encode(small());
    for (int bit = 0; bit < page.length * 8; bit++) {
      byte[] damaged = page.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertCorrupt(damaged, "bit " + bit);
    }
  }

  @Test
  void everyFlippedBitOfAFilterIsDetected() {
    byte[] page = codec.encode(numbered());
    assertThat(IntStream.range(0, 400).filter(n -> mayHave(page, "absent" + n)).count())
        .isLessThan(80);
    int start = ValueFilter.start(page);
    for (int bit = start * 8; bit < page.length * 8; bit++) {
      byte[] damaged = page.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      boolean isDetected = false;
      // A look at one value reads one block.
      for (int n = 0; n < 400 && !isDetected; n++) {
        isDetected = isCorrupt(damaged, new Required("absent" + n));
      }
      assertThat(isDetected).as("bit " + bit).isTrue();
    }
  }

  private boolean mayHave(byte[] page, String text) {
    return codec.mayMatch(PageBytes.of(page), new Required(text));
  }

  private boolean isCorrupt(byte[] page, FieldFilter filter) {
    try {
      codec.mayMatch(PageBytes.of(page), filter);
      return false;
    } catch (CorruptException e) {
      return true;
    }
  }

  @Test
  void aFilterOfImpossibleLengthIsDetected() {
    byte[] page = codec.encode(numbered());
    for (int blocks : new int[] {0, 400, 0xffff}) {
      page[page.length - 6] = (byte) blocks;
      page[page.length - 5] = (byte) (blocks >>> 8);
      Pages.mend(page);
      assertThat(isCorrupt(page, new Required("absent"))).isTrue();
      assertThatThrownBy(() -> codec.decode(page))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("filter");
    }
  }

  private record Required(String value) implements FieldFilter {
    @Override
    public Spans find(byte[] payload, int from, int to) {
      return new Spans(1);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return false;
    }

    @Override
    public List<List<FieldValue>> required() {
      return List.of(List.of(FieldValue.of("s", value)));
    }
  }

  private static Columns numbered() {
    return RandomColumns.of(
        400,
        i ->
            ("{\"n\":" + i + ",\"s\":\"" + Long.toString(ByteWords.mix(i * 77L), 36) + "\"}")
                .getBytes());
  }

  @Test
  void everyTruncationIsDetected() {
    byte[] page = codec.encode(small());
    for (int length = 0; length < page.length; length++) {
      assertCorrupt(Arrays.copyOf(page, length), "length " + length);
    }
  }

  @Test
  void extraBytesAreDetected() {
    byte[] page = codec.encode(small());
    assertCorrupt(Arrays.copyOf(page, page.length + 1), "one byte more");
    byte[] mended = Arrays.copyOf(page, page.length + 1);
    Pages.mend(mended);
    assertThatThrownBy(() -> codec.decode(mended)).isInstanceOf(CorruptException.class);
  }

  @Test
  void anUnknownVersionIsRefusedByName() {
    byte[] page = codec.encode(small());
    page[PageHeader.VERSION_AT] = 9;
    Pages.mend(page);
    assertThatThrownBy(() -> codec.decode(page))
        .isInstanceOf(CorruptException.class)
        .hasMessage("page: version 9, this program reads version 7; another one wrote it");
  }

  @Test
  void anUnknownLayoutIsRefusedByName() {
    byte[] page = codec.encode(small());
    page[PageHeader.LAYOUT_AT] = 77;
    Pages.mend(page);
    assertThatThrownBy(() -> codec.decode(page))
        .isInstanceOf(CorruptException.class)
        .hasMessage("page: layout 77 is unknown");
  }

  @Test
  void theCodecWorksAfterDamage() {
    Columns columns = small();
    byte[] page = codec.encode(columns);
    byte[] damaged = page.clone();
    damaged[damaged.length - 1]++;
    assertCorrupt(damaged, "last byte");
    Pages.assertSame(codec.decode(page), columns);
  }

  private void assertCorrupt(byte[] page, String what) {
    assertThatThrownBy(() -> codec.decode(page)).as(what).isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> codec.decodeNames(page)).as(what).isInstanceOf(CorruptException.class);
    TextFilter absent = new TextFilter(new ByteSearch("absent".getBytes(UTF_8), false));
    for (FieldFilter filter : List.of(FieldOfPayloads.of("s"), absent)) {
      assertThatThrownBy(() -> codec.match(page, filter))
          .as(what)
          .isInstanceOf(CorruptException.class);
    }
  }

  private static Columns small() {
    Columns columns =
        RandomColumns.of(
            60, i -> ("{\"n\":" + i * 7 + ",\"s\":\"some " + i % 5 + "\"}").getBytes());
    assertThat(columns.size()).isEqualTo(60);
    return columns;
  }
}
