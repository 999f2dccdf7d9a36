package hourglass.bucketing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTrue;

import hourglass.testing.Seed;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HourTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T08, 20112608, 2026-11-20T08:00:00Z",
    "2000-01-01T00, 01010000, 2000-01-01T00:00:00Z",
    "2099-12-31T23, 31129923, 2099-12-31T23:00:00Z",
    "2000-02-29T12, 29020012, 2000-02-29T12:00:00Z",
    "2024-02-29T23, 29022423, 2024-02-29T23:00:00Z",
    "2096-02-29T01, 29029601, 2096-02-29T01:00:00Z",
  })
  void textKeyAndStartDenoteTheSameHour(String text, String key, Instant start) {
    Hour hour = Hour.parse(text);
    assertThat(hour).hasToString(text).isEqualTo(Hour.parseKey(key)).isEqualTo(Hour.of(start));
    assertThat(hour.key()).isEqualTo(key);
    assertThat(hour.start()).isEqualTo(start);
    assertThat(hour.end()).isEqualTo(start.plusSeconds(3600));
    assertThat(hour.startTicks()).isEqualTo(Ticks.of(start));
    assertThat(hour.endTicks()).isEqualTo(Ticks.of(start.plusSeconds(3600)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-20",
        "2026-11-20T8",
        "2026-11-20T08:00",
        "2026-11-20T08Z",
        "2026-11-20 08",
        "2026-11-20T24",
        "2026-11-20T99",
        "2026-13-01T00",
        "2026-00-01T00",
        "2026-01-00T00",
        "2026-02-29T08",
        "2026-02-30T08",
        "2026-04-31T08",
        "2100-02-29T00",
        "26-11-20T08",
        "+2026-11-20T08",
        "-2026-11-20T08",
        "12026-11-20T08",
        "2026-11-20T-8",
        "x"
      })
  void refusesInvalidTexts(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hour.parse(text))
        .withMessageStartingWith("hour: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2011260",
        "201126080",
        "2011260x",
        "20112624",
        "30022608",
        "29022508",
        "31042608",
        "00112608",
        "20002608",
        "20132608",
        "-0112608",
        "\u0662\u0660112608"
      })
  void refusesInvalidKeys(String key) {
    assertThatIllegalArgumentException().isThrownBy(() -> Hour.parseKey(key));
  }

  @Test
  void rangeIsThe21stCentury() {
    assertThat(Hour.FIRST).hasToString("2000-01-01T00");
    assertThat(Hour.LAST).hasToString("2099-12-31T23");
    assertThatIllegalArgumentException().isThrownBy(Hour.FIRST::previous);
    assertThatIllegalArgumentException().isThrownBy(Hour.LAST::next);
    assertThat(Hour.covers(Hour.FIRST.startTicks())).isTrue();
    assertThat(Hour.covers(Hour.FIRST.startTicks() - 1)).isFalse();
    assertThat(Hour.covers(Hour.LAST.endTicks() - 1)).isTrue();
    assertThat(Hour.covers(Hour.LAST.endTicks())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1999-12-31T23:59:59.9999999Z",
        "2100-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "-1000000000-01-01T00:00:00Z",
        "+1000000000-12-31T23:59:59Z"
      })
  void refusesAnInstantOutsideItsCentury(Instant instant) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hour.of(instant))
        .withMessageContaining("2000-2099");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, (1L << 60) - 1, Long.MAX_VALUE})
  void refusesATickOutsideItsCentury(long ticks) {
    assertThat(Hour.covers(ticks)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> Hour.ofTicks(ticks));
  }

  @Test
  void isHalfOpen() {
    assertThat(HOUR.contains(HOUR.startTicks())).isTrue();
    assertThat(HOUR.contains(HOUR.endTicks() - 1)).isTrue();
    assertThat(HOUR.contains(HOUR.startTicks() - 1)).isFalse();
    assertThat(HOUR.contains(HOUR.endTicks())).isFalse();
  }

  @Test
  void neighboursAreAdjacent() {
    assertThat(HOUR.next()).hasToString("2026-11-20T09").isGreaterThan(HOUR);
    assertThat(HOUR.previous()).hasToString("2026-11-20T07").isLessThan(HOUR);
    assertThat(HOUR.next().startTicks()).isEqualTo(HOUR.endTicks());
    assertThat(Hour.parse("2024-02-29T23").next()).hasToString("2024-03-01T00");
    assertThat(Hour.parse("2025-03-01T00").previous()).hasToString("2025-02-28T23");
  }

  @Test
  void containsTheTickItWasMadeFrom() {
    Random random = Seed.random("HourTest");
    long span = Hour.LAST.endTicks() - Hour.FIRST.startTicks();
    for (int i = 0; i < 100_000; i++) {
      long ticks = Hour.FIRST.startTicks() + Math.floorMod(random.nextLong(), span);
      Hour hour = Hour.ofTicks(ticks);
      assertTrue(hour.contains(ticks));
      if (i % 100 == 0) {
        assertThat(Hour.parse(hour.toString())).isEqualTo(hour);
        assertThat(Hour.parseKey(hour.key())).isEqualTo(hour);
        assertThat(Hour.of(Ticks.toInstant(ticks))).isEqualTo(hour);
      }
    }
  }
}
