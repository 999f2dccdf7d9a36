package hourglass.bucketing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertEquals;

import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TicksTest {
  private static final DateTimeFormatter JAVA_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'").withZone(ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "1582-10-15T00:00:00.0000000Z, 0",
    "1970-01-01T00:00:00.0000000Z, 0x01B21DD213814000",
    "1969-12-31T23:59:59.9999999Z, 0x01B21DD213813FFF",
    "5236-03-31T21:21:00.6846975Z, 0x0FFFFFFFFFFFFFFF",
  })
  void ticksAndTextsConvertBothWays(String text, String ticks) {
    assertThat(Ticks.text(Long.decode(ticks))).isEqualTo(text);
    assertThat(Ticks.of(Instant.parse(text))).isEqualTo(Long.decode(ticks));
  }

  @Test
  void textsAgreeWithJavaTime() {
    Random random = Seed.random("TicksTest");
    long from = Ticks.of(Instant.parse("1582-10-15T00:00:00Z"));
    long span = Ticks.of(Instant.parse("2300-01-01T00:00:00Z")) - from;
    for (int i = 0; i < 50_000; i++) {
      assertSameText(from + Math.floorMod(random.nextLong(), span));
    }
  }

  @Test
  void textsAgreeWithJavaTimeAtEveryMidnight() {
    long midnight = Ticks.of(Instant.parse("1582-10-15T00:00:00Z"));
    long end = Ticks.of(Instant.parse("2300-01-01T00:00:00Z"));
    for (; midnight < end; midnight += 24 * Ticks.PER_HOUR) {
      assertSameText(midnight);
    }
  }

  private static void assertSameText(long ticks) {
    Instant instant = Ticks.toInstant(ticks);
    assertEquals(JAVA_TIME.format(instant), Ticks.text(ticks));
    assertEquals(ticks, Ticks.of(instant));
  }

  @Test
  void refusesInstantsBeyondTheRangeOfALong() {
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> Ticks.of(Instant.MAX));
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> Ticks.of(Instant.MIN));
  }

  @Test
  void truncatesInstantsToTicks() {
    Instant instant = Instant.parse("2026-11-20T08:00:00.123456789Z");
    assertThat(Ticks.text(Ticks.of(instant))).isEqualTo("2026-11-20T08:00:00.1234567Z");
    Instant early = Instant.parse("1960-01-01T00:00:00.999999999Z");
    assertThat(Ticks.text(Ticks.of(early))).isEqualTo("1960-01-01T00:00:00.9999999Z");
  }

  @Test
  void writesInPlace() {
    byte[] out = "[..............................]".getBytes(StandardCharsets.US_ASCII);
    assertThat(Ticks.write(Ticks.UNIX_EPOCH, out, 1)).isEqualTo(1 + Ticks.TEXT_BYTES);
    assertThat(new String(out, StandardCharsets.US_ASCII))
        .isEqualTo("[1970-01-01T00:00:00.0000000Z..]");
  }
}
