package hourglass.store.embedded.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.Columns;
import hourglass.store.CorruptException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Damage is told, and never becomes data. */
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
  void everyTruncationIsDetected() {
    byte[] page = codec.encode(small());
    for (int length = 0; length < page.length; length++) {
      assertCorrupt(Arrays.copyOf(page, length), "length " + length);
    }
  }

  @Test
  void bytesTooManyAreDetected() {
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
        .hasMessage(
            "page: version 9 is unknown, this program reads versions 1 to 2; a newer one wrote it");
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
  void theCodecServesOnAfterDamage() {
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
    assertThatThrownBy(() -> codec.match(page, FieldOfPayloads.of("s"), true))
        .as(what)
        .isInstanceOf(CorruptException.class);
  }

  private static Columns small() {
    Columns columns =
        RandomColumns.of(
            60, i -> ("{\"n\":" + i * 7 + ",\"s\":\"some " + i % 5 + "\"}").getBytes());
    assertThat(columns.size()).isEqualTo(60);
    return columns;
  }
}
