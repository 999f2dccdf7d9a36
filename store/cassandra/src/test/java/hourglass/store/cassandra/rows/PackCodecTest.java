package hourglass.store.cassandra.rows;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.Order;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.Part;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackCodecTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int BODY_BYTES_MAX = 64 << 10;

  private final Random random = Seed.random(this);

  /** Names within so many ticks of the hour's start. */
  private Columns columns(int count, long ticks, int lengthMax) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 0);
    for (int i = 0; i < count; i++) {
      byte[] payload = payload(random.nextInt(lengthMax + 1));
      columns.add(
          HOUR.startTicks() + random.nextLong(ticks),
          random.nextLong() | Long.MIN_VALUE,
          payload,
          0,
          payload.length);
    }
    return columns.build();
  }

  private byte[] payload(int length) {
    byte[] payload = new byte[length];
    if (random.nextInt(4) == 0) {
      random.nextBytes(payload);
      return payload;
    }
    String json = "{\"n\":%d,\"text\":\"%s\"}".formatted(random.nextInt(9), "a".repeat(length));
    return json.substring(0, length).getBytes(ISO_8859_1);
  }

  private static List<Part> parts(List<Pack> packs) {
    return PackPage.of(packs, Order.ASCENDING, null).parts();
  }

  private static Columns decoded(List<Pack> packs) {
    return Columns.merge(parts(packs).stream().map(part -> part.load(Projection.COLUMNS)).toList());
  }

  private static void assertSame(Columns found, Columns expected) {
    assertThat(found.size()).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.id(i)).isEqualTo(expected.id(i));
      assertThat(found.payload(i)).isEqualTo(expected.payload(i));
    }
  }

  @Test
  void packsContainTheColumnsOfTheirWrite() {
    for (int i = 0; i < Tier.length(60, 200, 5_000); i++) {
      long ticks = 1 + random.nextLong(random.nextBoolean() ? Ticks.PER_HOUR : 3 * 600_000_000L);
      Columns columns = columns(1 + random.nextInt(400), ticks, 1 << random.nextInt(12));
      List<Pack> packs = PackCodec.encode(columns);
      assertSame(decoded(packs), columns);
      assertThat(packs.stream().map(Pack::first).toList()).isSorted();
      for (Part part : parts(packs.stream().filter(pack -> !pack.isColumn()).toList())) {
        assertThat(PackCodec.minuteStart(part.last().ticks()))
            .isEqualTo(PackCodec.minuteStart(part.first().ticks()));
      }
    }
  }

  @Test
  void fewColumnsBecomeAPackEach() {
    assertThat(PackCodec.encode(columns(7, 600, 100))).hasSize(7).allMatch(Pack::isColumn);
    assertThat(PackCodec.encode(columns(8, 600, 100))).hasSize(1).noneMatch(Pack::isColumn);
  }

  @Test
  void aMinuteEndsAPack() {
    long minute = HOUR.startTicks() + 7 * Ticks.PER_MINUTE;
    ColumnsBuilder columns = new ColumnsBuilder(20, 0);
    for (int i = 0; i < 20; i++) {
      columns.add(minute - 10 + i, Long.MIN_VALUE, new byte[] {1}, 0, 1);
    }
    List<Pack> packs = PackCodec.encode(columns.build());
    assertThat(packs.stream().map(Pack::first).toList())
        .containsExactly(
            new TimeUuid(minute - 10, Long.MIN_VALUE), new TimeUuid(minute, Long.MIN_VALUE));
    assertThat(parts(packs).stream().map(Part::count).toList()).containsExactly(10, 10);
  }

  @Test
  void thousandsOfColumnsInAMinuteAreDivided() {
    Columns columns = columns(PageCodec.PAGE_COLUMNS + 100, Ticks.PER_MINUTE, 2);
    List<Pack> packs = PackCodec.encode(columns);
    assertThat(packs.size()).isGreaterThan(1);
    assertThat(parts(packs)).allMatch(part -> part.count() <= PageCodec.PAGE_COLUMNS);
    assertSame(decoded(packs), columns);
  }

  @Test
  void payloadsOfAPackAreLimited() {
    ColumnsBuilder columns = new ColumnsBuilder(1_000, 0);
    byte[] payload = "{\"text\":\"the same\"}".repeat(50).getBytes(ISO_8859_1);
    for (int i = 0; i < 1_000; i++) {
      columns.add(HOUR.startTicks() + i, Long.MIN_VALUE, payload, 0, payload.length);
    }
    List<Part> parts = parts(PackCodec.encode(columns.build()));
    int perPack = PageCodec.PAGE_BYTES / payload.length;
    assertThat(parts.get(0).count()).as("as many as fit").isEqualTo(perPack);
    assertThat(parts).hasSize((1_000 + perPack - 1) / perPack);
  }

  @Test
  void incompressiblePacksAreHalved() {
    ColumnsBuilder columns = new ColumnsBuilder(200, 0);
    for (int i = 0; i < 200; i++) {
      byte[] noise = new byte[1_200];
      random.nextBytes(noise);
      columns.add(HOUR.startTicks() + i, Long.MIN_VALUE, noise, 0, noise.length);
    }
    Columns written = columns.build();
    List<Pack> packs = PackCodec.encode(written);
    assertThat(packs).hasSize(4).allMatch(pack -> pack.body().remaining() <= BODY_BYTES_MAX);
    assertSame(decoded(packs), written);
  }

  @Test
  void aHugePayloadGetsAPackOfItsOwn() {
    byte[] huge = new byte[33 << 20]; // more than a page may have
    huge[5] = 7;
    ColumnsBuilder columns = new ColumnsBuilder(20, 0);
    for (int i = 0; i < 20; i++) {
      columns.add(HOUR.startTicks() + i, Long.MIN_VALUE, huge, 0, i == 10 ? huge.length : 9);
    }
    Columns written = columns.build();
    List<Pack> packs = PackCodec.encode(written);
    assertThat(packs.stream().map(Pack::isColumn).toList()).containsExactly(false, true, false);
    assertSame(decoded(packs), written);
  }

  /** A codec keeps buffers from page to page, and each thread has one. */
  @Test
  void encodingIsDeterministic() {
    for (int i = 0; i < 50; i++) {
      Columns columns = columns(1 + random.nextInt(1_000), Ticks.PER_MINUTE, 300);
      List<Pack> packs = PackCodec.encode(columns);
      assertThat(CompletableFuture.supplyAsync(() -> PackCodec.encode(columns.copy())).join())
          .isEqualTo(packs);
      PackCodec.encode(columns(100, Ticks.PER_HOUR, 3_000));
      assertThat(PackCodec.encode(columns)).isEqualTo(packs);
    }
  }

  /** A digest is part of the key: with the same one, one payload would replace the other. */
  @ParameterizedTest
  @ValueSource(ints = {1, 50})
  void otherPayloadsHaveAnotherDigest(int count) {
    byte[][] payloads = new byte[count][];
    Arrays.setAll(payloads, i -> new byte[] {'{', '}'});
    Pack one = PackCodec.encode(StoredPacks.columns(HOUR.startTicks(), 1, payloads)).get(0);
    payloads[count / 2] = new byte[] {'[', ']'};
    Pack two = PackCodec.encode(StoredPacks.columns(HOUR.startTicks(), 1, payloads)).get(0);
    assertThat(two.first()).isEqualTo(one.first());
    assertThat(two.digest()).isNotEqualTo(one.digest());
  }

  private Pack page() {
    return PackCodec.encode(columns(100, Ticks.PER_MINUTE, 100)).get(0);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static void assertDamaged(Pack pack) {
    assertThatThrownBy(() -> parts(List.of(pack)).get(0).load(Projection.COLUMNS))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("pack " + pack.first())
        .hasMessageContaining("digest " + pack.digest());
    assertThatThrownBy(() -> parts(List.of(pack)).get(0).load(Projection.NAMES))
        .isInstanceOf(CorruptException.class);
  }

  /** The ranges of names are excepted, whose bytes have no check. */
  @Test
  void aDamagedHeadIsDetected() {
    Pack pack = page();
    byte[] head = bytes(pack.head());
    int rangesEnd = 1 + head[0] * 2 * Long.BYTES;
    IntStream.concat(IntStream.of(0), IntStream.range(rangesEnd, head.length))
        .forEach(
            at -> {
              byte[] damaged = head.clone();
              damaged[at] ^= (byte) (1 << random.nextInt(8));
              assertDamaged(withHead(pack, damaged));
            });
    for (int length = 0; length < head.length; length++) {
      if (length != Pack.COLUMN_HEAD_BYTES) {
        assertDamaged(withHead(pack, Arrays.copyOf(head, length)));
      }
    }
  }

  private static Pack withHead(Pack pack, byte[] head) {
    return new Pack(pack.first(), pack.digest(), ByteBuffer.wrap(head), pack.body());
  }

  private static Pack withBody(Pack pack, byte[] body) {
    return new Pack(pack.first(), pack.digest(), pack.head(), ByteBuffer.wrap(body));
  }

  @Test
  void rangesOfNamesAscend() {
    byte[] head = bytes(page().head());
    ByteBuffer.wrap(head).putLong(1, Long.MAX_VALUE);
    assertDamaged(withHead(page(), head));
  }

  @Test
  void aDamagedBodyIsDetected() {
    Pack pack = page();
    byte[] body = bytes(pack.body());
    for (int at = 0; at < body.length; at++) {
      byte[] damaged = body.clone();
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      assertDamaged(withBody(pack, damaged));
    }
    assertDamaged(withBody(pack, Arrays.copyOf(body, body.length - 1)));
    assertDamaged(withBody(pack, Arrays.copyOf(body, body.length + 1)));
    assertDamaged(withBody(pack, new byte[0]));
  }

  @Test
  void aPayloadOfAnotherLengthIsDetected() {
    Pack pack = PackCodec.encode(columns(1, 600, 100)).get(0);
    byte[] body = bytes(pack.body());
    assertDamaged(withBody(pack, Arrays.copyOf(body, body.length + 1)));
    assertDamaged(withHead(pack, new byte[] {-1, 0, 0, 0}));
  }

  /** Readers would not look for it there. */
  @Test
  void aPageUnderAnotherNameIsDetected() {
    Pack pack = page();
    TimeUuid other = pack.first().successor();
    assertDamaged(new Pack(other, pack.digest(), pack.head(), pack.body()));
  }
}
