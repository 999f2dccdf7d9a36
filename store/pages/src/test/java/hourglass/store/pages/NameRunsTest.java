package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** Names that follow from one another are short, also where several sources write in turns. */
class NameRunsTest {
  private static final int COLUMNS = 4_000;
  private static final byte[] PAYLOAD = {'{', '}'};

  private final PageCodec codec = new PageCodec();
  private final SplittableRandom random = new SplittableRandom(1);
  private final Identity identity = new Identity();

  @Test
  void namesOfRequestsUseLittleMoreThanGeneratedOnes() {
    long[] sources = random.longs(4).toArray();
    int generated = bytes(i -> TimeUuidGenerator.lsb(1_000 + i));
    assertThat(bytes(i -> Identity.position(sources[i / 1_000], i % 1_000)))
        .isBetween(generated, generated + COLUMNS);
  }

  @Test
  void interleavedPartitionsUseFewBytes() {
    int hashed = bytes(i -> Identity.position(random.nextLong(), 0));
    int[] next = {0, 5_000, 1 << 23};
    int numbered =
        bytes(
            i -> {
              int partition = random.nextInt(3);
              return Identity.offset(identity.ofPartition("orders", partition), next[partition]++);
            });
    assertThat(hashed).isGreaterThan(7 * COLUMNS);
    assertThat(numbered).isLessThan(2 * COLUMNS);
  }

  @Test
  void interleavedGeneratorsUseFewBytes() {
    int numbered =
        bytes(i -> TimeUuidGenerator.lsb((long) random.nextInt(8) << 40 | 77L * 256 * 256 + i));
    assertThat(numbered).isLessThan(3 * COLUMNS);
  }

  /** The bytes of a page with these names; it is read back as it was. */
  private int bytes(IntToLongFunction lsbs) {
    long ticks = Hour.parse("2026-11-20T08").startTicks();
    ColumnsBuilder builder = new ColumnsBuilder(COLUMNS, COLUMNS * PAYLOAD.length);
    for (int i = 0; i < COLUMNS; i++) {
      builder.add(ticks + i, lsbs.applyAsLong(i), PAYLOAD, 0, PAYLOAD.length);
    }
    Columns columns = builder.build();
    byte[] page = codec.encode(columns);
    Pages.assertSame(codec.decode(page), columns);
    return page.length;
  }
}
