package hourglass.store.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.ByteSearch;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.TextFilter;
import hourglass.testing.Tier;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changed pages with corrected checksums are refused, or read as some valid columns. */
@Timeout(600)
class PageFuzzTest {
  private static final int ROUNDS = Tier.length(30, 200, 2_000);

  private static final FieldQuery VALUES =
      new FieldQuery(
          CountQuery.all(FilteredPageTest.ROW),
          List.of(new FilteredPageTest.Finder(FieldOfPayloads.of("a"), true)),
          null);

  private final PageCodec codec = new PageCodec();
  private int refused;
  private int read;

  @Test
  void changedBytesNeverCrashTheDecoder() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] page = codec.encode(new RandomColumns(seed).next(400));
      for (int i = 0; i < 60; i++) {
        tryDecode(changed(page, random), seed);
      }
    }
    assertThat(refused).isGreaterThan(5 * ROUNDS);
    assertThat(read).isGreaterThan(ROUNDS / 2);
  }

  @Test
  void extremeBytesInASmallPageNeverCrashTheDecoder() {
    setToExtremes(RandomColumns.of(40, i -> ("{\"n\":" + i % 9 + ",\"s\":\"x\"}").getBytes()));
  }

  @Test
  void extremeBytesInSeparateEntriesNeverCrashTheDecoder() {
    setToExtremes(FilteredPageTest.manyEntries(0));
    assertThat(refused).isGreaterThan(1000);
  }

  private void setToExtremes(Columns columns) {
    byte[] page = codec.encode(columns);
    for (int at = PageHeader.LAYOUT_AT; at < page.length; at++) {
      for (int value : new int[] {0, 1, 0x7f, 0x80, 0xff}) {
        byte[] changed = page.clone();
        changed[at] = (byte) value;
        Pages.mend(changed);
        tryDecode(changed, at);
      }
    }
  }

  @Test
  void hostileCountsNeverCrashTheDecoder() {
    byte[] page = codec.encode(RandomColumns.of(40, i -> ("{\"n\":" + i + "}").getBytes()));
    for (int count : new int[] {0, 1, 41, PageHeader.COLUMNS_MAX, Integer.MAX_VALUE, -1}) {
      byte[] changed = page.clone();
      Pages.setInt(changed, PageHeader.BODY_AT + 8, count);
      Pages.mend(changed);
      tryDecode(changed, count);
    }
    for (int bytes : new int[] {0, PageHeader.PAYLOAD_BYTES_MAX, Integer.MAX_VALUE, -1}) {
      byte[] changed = page.clone();
      Pages.setInt(changed, PageHeader.BODY_AT + 12, bytes);
      Pages.mend(changed);
      tryDecode(changed, bytes);
    }
    assertThat(read).isZero();
  }

  private static byte[] changed(byte[] page, SplittableRandom random) {
    byte[] changed = page.clone();
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int from = random.nextInt(4) == 0 ? 0 : PageHeader.FIXED_BYTES;
      int at = from + random.nextInt(page.length - from);
      changed[at] = (byte) (random.nextBoolean() ? random.nextInt() : changed[at] + 1);
    }
    Pages.mend(changed);
    return changed;
  }

  /** And reads it in other ways, each by itself: one may pass over what another refuses. */
  private void tryDecode(byte[] page, long seed) {
    boolean isRead =
        tryRead(
            seed,
            () -> {
              Columns columns = codec.decode(page);
              for (int i = 0; i < columns.size(); i++) {
                columns.payload(i);
              }
              Pages.assertSameNames(codec.decodeNames(page), columns);
            });
    read += isRead ? 1 : 0;
    refused += isRead ? 0 : 1;
    tryRead(seed, () -> codec.match(page, FieldOfPayloads.of("a")));
    tryRead(seed, () -> codec.match(page, FieldOfPayloads.of("k" + Math.floorMod(seed, 30), "a")));
    tryRead(seed, () -> codec.values(page, VALUES, new FieldValues(1)));
    for (String text : List.of("1", "a", "\":", "/api/1")) {
      ByteSearch search = new ByteSearch(text.getBytes(UTF_8), false);
      tryRead(seed, () -> codec.match(page, new TextFilter(search)));
    }
  }

  private static boolean tryRead(long seed, Runnable way) {
    try {
      way.run();
      return true;
    } catch (CorruptException e) {
      assertThat(e).as("seed %d", seed).hasMessageStartingWith("page: ");
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
