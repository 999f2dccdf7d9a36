package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The header agrees with a recount of all columns. */
class PageHeaderTest {
  private final PageCodec codec = new PageCodec();

  @Test
  void headerAgreesWithTheColumns() {
    for (long seed = 0; seed < 300; seed++) {
      Columns columns = new RandomColumns(seed).next(500);
      PageHeader header = PageHeader.read(codec.encode(columns));
      assertThat(header.count()).isEqualTo(columns.size());
      assertThat(header.payloadBytes()).isEqualTo(columns.payloadBytes());
      assertThat(header.first()).isEqualTo(columns.first());
      assertThat(header.last()).isEqualTo(columns.last());
      assertThat(header.columnsByMinute()).as("seed %d", seed).isEqualTo(recount(columns));
    }
  }

  private static int[] recount(Columns columns) {
    int[] minutes = new int[60];
    long hour = Math.floorDiv(columns.ticks(0) - Ticks.UNIX_EPOCH, Ticks.PER_HOUR);
    for (int i = 0; i < columns.size(); i++) {
      long unix = columns.ticks(i) - Ticks.UNIX_EPOCH;
      if (Math.floorDiv(unix, Ticks.PER_HOUR) == hour) {
        minutes[(int) (Math.floorMod(unix, Ticks.PER_HOUR) / Ticks.PER_MINUTE)]++;
      }
    }
    return minutes;
  }

  @Test
  void columnsOfLaterHoursCountInNoMinute() {
    long hour = Hour.parse("2026-11-20T08").startTicks();
    ColumnsBuilder builder = new ColumnsBuilder(3, 3);
    for (int minute : new int[] {58, 59, 60, 61, 180}) {
      builder.add(
          hour + minute * Ticks.PER_MINUTE, TimeUuidGenerator.lsb(minute), new byte[] {1}, 0, 1);
    }
    int[] minutes = PageHeader.read(codec.encode(builder.build())).columnsByMinute();
    assertThat(minutes[58]).isEqualTo(1);
    assertThat(minutes[59]).isEqualTo(1);
    assertThat(Arrays.stream(minutes).sum()).isEqualTo(2);
  }

  @Test
  void checksumDistinguishesPages() {
    Columns one = RandomColumns.ofTexts("{\"a\":1}");
    Columns two = RandomColumns.ofTexts("{\"a\":2}");
    int checksum = PageHeader.read(codec.encode(one)).checksum();
    assertThat(PageHeader.read(codec.encode(one)).checksum()).isEqualTo(checksum);
    assertThat(PageHeader.read(codec.encode(two)).checksum()).isNotEqualTo(checksum);
  }

  @Test
  void headerIsReadFromTheBeginningOfAPage() {
    byte[] page = codec.encode(new RandomColumns(3).next(1000));
    byte[] beginning = Arrays.copyOf(page, PageHeader.BYTES_MAX);
    assertThat(PageHeader.read(beginning).checksum()).isEqualTo(PageHeader.read(page).checksum());
  }
}
