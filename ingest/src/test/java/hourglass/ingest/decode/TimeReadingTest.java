package hourglass.ingest.decode;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.Rfc3339;
import hourglass.testing.Seed;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeReadingTest {
  private static final long START = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
  private static final long END = Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T08:00:00Z,               2026-11-20T08:00:00.0000000Z",
    "2026-11-20t08:00:00.5z,             2026-11-20T08:00:00.5000000Z",
    "2026-11-20 08:00:00Z,               2026-11-20T08:00:00.0000000Z",
    "2026-11-20T08:00:00.000331Z,        2026-11-20T08:00:00.0003310Z",
    "2026-11-20T08:00:00.123456789012Z,  2026-11-20T08:00:00.1234567Z",
    "2026-11-20T08:00:00+01:00,          2026-11-20T07:00:00.0000000Z",
    "2026-11-20T08:00:00+0130,           2026-11-20T06:30:00.0000000Z",
    "2026-11-20T08:00:00.5-01,           2026-11-20T09:00:00.5000000Z",
    "2026-11-20T08:00:00+0000,           2026-11-20T08:00:00.0000000Z",
    "2026-11-20T08:00:00.25-23:59,       2026-11-21T07:59:00.2500000Z",
    "2026-11-20T08:00:00-00:00,          2026-11-20T08:00:00.0000000Z",
    "2024-02-29T23:59:59.9999999Z,       2024-02-29T23:59:59.9999999Z",
    "2016-12-31T23:59:60Z,               2016-12-31T23:59:59.9999999Z",
    "2017-01-01T00:59:60.7+01:00,        2016-12-31T23:59:59.9999999Z",
  })
  void readsTimes(String text, String ticks) {
    assertThat(Ticks.text(parse(new Rfc3339(Ticks.UNIX_EPOCH), text))).isEqualTo(ticks);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T08:00:00,        2026-11-20T08:00:00.0000000Z",
    "2026-11-20 08:00:00.5,      2026-11-20T08:00:00.5000000Z",
    "2026-11-20T08:00:00+01:00,  2026-11-20T07:00:00.0000000Z",
    "2026-11-20T08:00:00.25Z,    2026-11-20T08:00:00.2500000Z",
  })
  void readsLocalTimesIfAllowed(String text, String ticks) {
    byte[] b = Body.padded(text.getBytes(StandardCharsets.US_ASCII));
    Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
    assertThat(Ticks.text(times.parse(b, 0, text.length(), true))).isEqualTo(ticks);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2026-11-20T08:00", "2026-11-20T08:00:00.", "2026-11-20T08:00:0", "2026-11-20"})
  void refusesIncompleteLocalTimes(String text) {
    byte[] b = Body.padded(text.getBytes(StandardCharsets.US_ASCII));
    Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
    assertThat(times.parse(b, 0, text.length(), true)).isEqualTo(Rfc3339.NOT_A_TIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-11-20",
        "2026-11-20T08:00:00",
        "2026-11-20T08:00Z",
        "2026-11-20T08:00:00.Z",
        "2026-11-20T08:00:00,5Z",
        "2026-13-20T08:00:00Z",
        "2026-00-20T08:00:00Z",
        "2026-11-31T08:00:00Z",
        "2025-02-29T08:00:00Z",
        "2026-11-20T24:00:00Z",
        "2026-11-20T08:60:00Z",
        "2026-11-20T08:00:61Z",
        "2026-11-20T08:00:60Z",
        "2026-11-20T08:00:00+1:00",
        "2026-11-20T08:00:00+100",
        "2026-11-20T08:00:00+01:0",
        "2026-11-20T08:00:00+2400",
        "2026-11-20T08:00:00+0160",
        "2026-11-20T08:00:00+0a",
        "2026-11-20T08:00:00+24:00",
        "2026-11-20T08:00:00+01:60",
        "2026-11-20T08:00:00ZZ",
        "2026-11-20T08:00:00Z ",
        " 2026-11-20T08:00:00Z",
        "+026-11-20T08:00:00Z",
        "2026-11-20x08:00:00Z",
        "2026/11/20T08:00:00Z",
        "2026-11-20T08-00-00Z",
        "2026-11-20T08:00:0aZ",
        "20261120T080000Z....",
      })
  void refusesOtherTexts(String text) {
    Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
    assertThat(parse(times, text)).isEqualTo(Rfc3339.NOT_A_TIME);
    assertThat(parse(times, "2026-11-20T08:00:00Z")).isNotEqualTo(Rfc3339.NOT_A_TIME);
    assertThat(parse(times, text)).as("after another").isEqualTo(Rfc3339.NOT_A_TIME);
  }

  @Test
  void agreesWithJavaTime() {
    long seed = Seed.next("TimeReadingTest");
    Random random = new Random(seed);
    Rfc3339 times = new Rfc3339(Ticks.UNIX_EPOCH);
    for (int i = 0; i < 100_000; i++) {
      Instant instant =
          Instant.ofEpochSecond(random.nextLong(START, END), random.nextInt(1_000_000_000));
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2159) - 1079));
      OffsetDateTime time = instant.atOffset(i % 2 == 0 ? ZoneOffset.UTC : offset);
      String text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
      text = text.length() < 20 || time.getSecond() == 0 ? withSeconds(time) : text;
      assertThat(parse(times, text)).as("seed %d: %s", seed, text).isEqualTo(Ticks.of(instant));
    }
  }

  private static String withSeconds(OffsetDateTime time) {
    return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX").format(time);
  }

  @ParameterizedTest
  @CsvSource({
    "1521911720,              2018-03-24T17:15:20.0000000Z",
    "1521911720.600843,       2018-03-24T17:15:20.6008430Z",
    "1521911720.60084399,     2018-03-24T17:15:20.6008439Z",
    "1.521911720600843E9,     2018-03-24T17:15:20.6008430Z",
    "152191172060.0843e-2,    2018-03-24T17:15:20.6008430Z",
    "1521911720600,           2018-03-24T17:15:20.6000000Z",
    "1521911720600.843,       2018-03-24T17:15:20.6008430Z",
    "1521911720600843,        2018-03-24T17:15:20.6008430Z",
    "1521911720600843.9,      2018-03-24T17:15:20.6008439Z",
    "1521911720600843999,     2018-03-24T17:15:20.6008439Z",
    "1521911720600843999.99,  2018-03-24T17:15:20.6008439Z",
    "946684800,               2000-01-01T00:00:00.0000000Z",
    "4102444799.99999999,     2099-12-31T23:59:59.9999999Z",
  })
  void readsNumbersByMagnitude(String text, String ticks) {
    assertThat(Ticks.text(number(text))).isEqualTo(ticks);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0.0e5",
        "-1",
        "-1521911720",
        "1",
        "1e-400",
        "1e400",
        "1e999999999999",
        "946684799.9999",
        "4102444800",
        "99999999999999999999999999",
        "0.00000000000000000001",
        "1e-999999999999",
        "2026",
        "20261120",
        "20261120080000",
        "9223372036854775807",
        "-1e30",
        "12345678901234567890",
      })
  void otherNumbersAreOutsideTheYearsCovered(String text) {
    assertThat(Hour.covers(number(text))).isFalse();
  }

  @Test
  void agreesWithDecimalArithmetic() {
    long seed = Seed.next("TimeReadingTest");
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      BigDecimal seconds =
          BigDecimal.valueOf(random.nextLong(START, END))
              .add(BigDecimal.valueOf(random.nextInt(1_000_000_000), 9));
      long ticks =
          Ticks.UNIX_EPOCH
              + seconds.movePointRight(7).setScale(0, RoundingMode.FLOOR).longValueExact();
      BigDecimal value = seconds.movePointRight(3 * random.nextInt(4)).stripTrailingZeros();
      String text = random.nextBoolean() ? value.toPlainString() : value.toString();
      assertThat(number(text)).as("seed %d: %s", seed, text).isEqualTo(ticks);
    }
  }

  private static long parse(Rfc3339 times, String text) {
    byte[] utf8 = ("x" + text).getBytes(StandardCharsets.UTF_8);
    return times.parse(Body.copyOf(utf8).bytes(), 1, utf8.length);
  }

  private static long number(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] b = Body.copyOf(utf8).bytes();
    assertThat(TimeNumber.isNumber(new JsonScanner(1), b, 0, utf8.length)).isTrue();
    return TimeNumber.parse(b, 0, utf8.length);
  }
}
