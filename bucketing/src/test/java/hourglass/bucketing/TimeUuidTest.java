package hourglass.bucketing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import hourglass.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeUuidTest {
  private static final long LARGEST = 0x7f7f7f7f7f7f7f7fL;
  private static final long[] EDGES = {
    0x8080808080808080L,
    LARGEST,
    0,
    -1,
    1,
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    0x80808080808080ffL,
    0x8080808080808000L,
    0x00ff00ff00ff00ffL
  };

  /** The order of a timeuuid by Cassandra's documentation, over the 16 bytes of the UUID. */
  private static int referenceOrder(UUID a, UUID b) {
    int byTime = Long.compare(a.timestamp(), b.timestamp());
    if (byTime != 0) {
      return byTime;
    }
    byte[] left = bytes(a);
    byte[] right = bytes(b);
    for (int i = 8; i < 16; i++) {
      if (left[i] != right[i]) {
        return left[i] < right[i] ? -1 : 1;
      }
    }
    return 0;
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  @Test
  void orderIsThatOfCassandra() {
    Random random = Seed.random("TimeUuidTest.order");
    List<TimeUuid> names = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      names.add(randomName(random));
    }
    for (TimeUuid a : names) {
      for (TimeUuid b : names) {
        int expected = referenceOrder(a.toUuid(), b.toUuid());
        assertEquals(expected, Integer.signum(a.compareTo(b)), () -> a + ", " + b);
        if (a.ticks() == b.ticks()) {
          long sortableA = TimeUuid.sortable(a.lsb());
          long sortableB = TimeUuid.sortable(b.lsb());
          assertEquals(expected, Integer.signum(Long.compareUnsigned(sortableA, sortableB)));
        }
      }
    }
  }

  private static TimeUuid randomName(Random random) {
    long ticks = random.nextInt(3) == 0 ? random.nextLong() >>> 4 : random.nextInt(3);
    long lsb = random.nextBoolean() ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
    return new TimeUuid(ticks, lsb ^ (random.nextInt(3) == 0 ? 1L << random.nextInt(64) : 0));
  }

  @Test
  void ticksAreReadByTheDriver() {
    Random random = Seed.random("TimeUuidTest.driver");
    for (int i = 0; i < 100_000; i++) {
      long millis = Math.floorMod(random.nextLong(), 4_102_444_800_000L);
      long ticks = Ticks.of(Instant.ofEpochMilli(millis)) + random.nextInt(10_000);
      TimeUuid name = new TimeUuid(ticks, random.nextLong());
      UUID uuid = name.toUuid();
      assertEquals(1, uuid.version());
      assertEquals(ticks, uuid.timestamp());
      assertEquals(millis, Uuids.unixTimestamp(uuid));
      assertTrue(TimeUuid.of(Uuids.startOf(millis)).compareTo(name) <= 0);
      assertTrue(endOf(millis).compareTo(name) >= 0);
      assertEquals(ticks, TimeUuid.ticksOfMsb(TimeUuid.msbOfTicks(ticks)));
    }
  }

  private static TimeUuid endOf(long millis) {
    return TimeUuid.of(Uuids.endOf(millis));
  }

  @Test
  void ticksCountFromTheEpochOfTheDriver() {
    long millis = Instant.parse("2026-11-20T08:00:00.123Z").toEpochMilli();
    long ticks = Ticks.of(Instant.ofEpochMilli(millis));
    assertThat(TimeUuid.first(ticks).toUuid()).isEqualTo(Uuids.startOf(millis));
    assertThat(endOf(millis).successor()).isEqualTo(TimeUuid.first(ticks + Ticks.PER_MILLI));
    assertThat(TimeUuid.first(ticks + Ticks.PER_MILLI).predecessor()).isEqualTo(endOf(millis));
  }

  @Test
  void readsNamesMadeByTheDriver() {
    for (int i = 0; i < 10_000; i++) {
      UUID made = Uuids.timeBased();
      TimeUuid name = TimeUuid.of(made);
      assertEquals(made, name.toUuid());
      assertEquals(made.timestamp(), name.ticks());
      assertEquals(name, TimeUuid.parse(made.toString()));
    }
  }

  @Test
  void roundTripsAsText() {
    Random random = Seed.random("TimeUuidTest.text");
    byte[] out = new byte[TimeUuid.TEXT_BYTES + 2];
    for (int i = 0; i < 100_000; i++) {
      TimeUuid name = randomName(random);
      String text = name.toUuid().toString();
      assertEquals(text, name.toString());
      assertEquals(out.length - 1, TimeUuid.write(name.ticks(), name.lsb(), out, 1));
      assertEquals(text, new String(out, 1, TimeUuid.TEXT_BYTES, StandardCharsets.US_ASCII));
      assertEquals(name, TimeUuid.parse(text));
      assertEquals(name, TimeUuid.parse(text.toUpperCase(Locale.ROOT)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "1-1-1-1-1",
        "13814000-1dd2-11b2-8080-80808080808",
        "13814000-1dd2-11b2-8080-8080808080800",
        "13814000-1dd2-11b2-8080-80808080808g",
        "138140001dd211b28080808080808080----",
        "113814000-dd2-11b2-8080-808080808080",
        "+3814000-1dd2-11b2-8080-808080808080",
        "13814000-1dd2-11b2-8080-8080808080\u0668\u0660",
        "13814000-1dd2-41b2-8080-808080808080",
        "13814000-1dd2-71b2-8080-808080808080",
        "00000000-0000-0000-0000-000000000000"
      })
  void refusesInvalidTexts(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeUuid.parse(text))
        .withMessageStartingWith("id: ");
  }

  @Test
  void nothingLiesBetweenANameAndItsSuccessor() {
    Random random = Seed.random("TimeUuidTest.successor");
    for (int i = 0; i < 100_000; i++) {
      TimeUuid name = randomName(random);
      TimeUuid next = name.successor();
      assertTrue(next.compareTo(name) > 0);
      assertEquals(1, TimeUuid.sortable(next.lsb()) - TimeUuid.sortable(name.lsb()));
      assertEquals(name.ticks() + (name.lsb() == LARGEST ? 1 : 0), next.ticks());
      assertEquals(name, next.predecessor());
    }
  }

  @Test
  void theLastNameHasNoSuccessor() {
    TimeUuid last = new TimeUuid((1L << 60) - 1, 0x7f7f7f7f7f7f7f7fL);
    assertThatIllegalArgumentException().isThrownBy(last::successor);
  }

  @Test
  void theFirstNameOfATickIsTheSmallest() {
    TimeUuid first = TimeUuid.first(5);
    assertThat(first.lsb()).isEqualTo(0x8080808080808080L);
    for (long lsb : EDGES) {
      assertThat(new TimeUuid(5, lsb)).isGreaterThanOrEqualTo(first);
      assertThat(new TimeUuid(4, lsb)).isLessThan(first);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1L << 60, Long.MIN_VALUE, Long.MAX_VALUE})
  void refusesTicksOfMoreThan60Bits(long ticks) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TimeUuid(ticks, 0))
        .withMessageContaining(Long.toString(ticks));
  }

  @Test
  void hourContainsTheTicks() {
    Hour hour = Hour.parse("2026-11-20T08");
    assertThat(new TimeUuid(hour.endTicks() - 1, -1).hour()).isEqualTo(hour);
    assertThat(new TimeUuid(hour.endTicks(), -1).hour()).isEqualTo(hour.next());
  }

  @Test
  void writesANameAsItsUuid() {
    Random random = new Random(7);
    byte[] out = new byte[TimeUuid.TEXT_BYTES + 2];
    for (int i = 0; i < 100_000; i++) {
      long ticks = random.nextLong() & 0x0FFF_FFFF_FFFF_FFFFL;
      long lsb = random.nextLong();
      assertThat(TimeUuid.write(ticks, lsb, out, 1)).isEqualTo(1 + TimeUuid.TEXT_BYTES);
      String text = new String(out, 1, TimeUuid.TEXT_BYTES, StandardCharsets.US_ASCII);
      assertThat(text).isEqualTo(new UUID(TimeUuid.msbOfTicks(ticks), lsb).toString());
      assertThat(out[0]).isZero();
      assertThat(out[out.length - 1]).isZero();
    }
  }
}
