package hourglass.load.event;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTimesTest {
  @ParameterizedTest
  @CsvSource({
    "2026-11-20T08:00:00Z,                2026-11-20T08:00:00.0000000Z",
    "2026-11-20T08:00:00.000331Z,         2026-11-20T08:00:00.0003310Z",
    "2026-11-20t09:00:00.123456789+01:00, 2026-11-20T08:00:00.1234567Z",
    "2026-11-19 23:30:00.5-08:30,         2026-11-20T08:00:00.5000000Z",
    "2016-12-31T23:59:60.3Z,              2016-12-31T23:59:59.9999999Z",
    "1521911720.5,                        2018-03-24T17:15:20.5000000Z"
  })
  void timesAreReadFromTexts(String text, String time) {
    assertThat(Ticks.text(JsonTimes.ofText(text))).isEqualTo(time);
  }

  @ParameterizedTest
  @CsvSource({
    "1521911720,            2018-03-24T17:15:20.0000000Z",
    "1521911720.6008439,    2018-03-24T17:15:20.6008439Z",
    "1.5219117206e9,        2018-03-24T17:15:20.6000000Z",
    "1521911720600,         2018-03-24T17:15:20.6000000Z",
    "1521911720600.25,      2018-03-24T17:15:20.6002500Z",
    "1521911720600843,      2018-03-24T17:15:20.6008430Z",
    "1521911720600843999,   2018-03-24T17:15:20.6008439Z",
    "-1,                    1969-12-31T23:59:59.0000000Z"
  })
  void unitsAreInferredFromTheMagnitude(String number, String time) {
    assertThat(Ticks.text(JsonTimes.ofNumber(number))).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-11-20",
        "2026-11-20T08:00:00",
        "2026-13-20T08:00:00Z",
        "2026-11-20T08:00:00.Z",
        "2026-11-20T08:00:00Z ",
        "2026-11-20T08:00Z"
      })
  void invalidTimesAreRefused(String text) {
    assertThat(JsonTimes.ofText(text)).isEqualTo(JsonTimes.NONE);
  }
}
