package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.store.Columns;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Helpers shared by the tests of pages. */
final class Pages {
  private Pages() {}

  static void assertSame(Columns actual, Columns expected) {
    assertSameNames(actual, expected);
    for (int i = 0; i < expected.size(); i++) {
      if (!Arrays.equals(actual.payload(i), expected.payload(i))) {
        assertThat(new String(actual.payload(i))).isEqualTo(new String(expected.payload(i)));
        assertThat(actual.payload(i)).as("payload %d", i).isEqualTo(expected.payload(i));
      }
    }
  }

  static void assertSameNames(Columns actual, Columns expected) {
    assertThat(actual.size()).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      if (actual.ticks(i) != expected.ticks(i)
          || actual.lsb(i) != expected.lsb(i)
          || actual.length(i) != expected.length(i)) {
        assertThat(actual.id(i)).as("name %d", i).isEqualTo(expected.id(i));
        assertThat(actual.length(i)).as("length %d", i).isEqualTo(expected.length(i));
      }
    }
  }

  /** Makes the checksums and the body's length right again, where the header's length allows it. */
  static void mend(byte[] page) {
    int headerLength =
        page[PageHeader.LENGTH_AT] & 0xff | (page[PageHeader.LENGTH_AT + 1] & 0xff) << 8;
    if (headerLength < PageHeader.FIXED_BYTES || headerLength > page.length) {
      return;
    }
    CRC32C crc = new CRC32C();
    crc.update(page, headerLength, page.length - headerLength);
    setInt(page, PageHeader.BODY_AT, (int) crc.getValue());
    setInt(page, PageHeader.BODY_AT + 4, page.length - headerLength);
    setInt(page, PageHeader.CHECKSUM_AT, PageHeader.checksum(page, headerLength));
  }

  static void setInt(byte[] page, int at, int value) {
    for (int i = 0; i < 4; i++) {
      page[at + i] = (byte) (value >>> 8 * i);
    }
  }
}
