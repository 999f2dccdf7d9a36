package hourglass.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.bytes.Rfc3339;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineTimesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final LineTimes withoutZone = new LineTimes(null);
  private final LineTimes inBerlin = new LineTimes(BERLIN);

  private static long find(LineTimes times, String line) {
    byte[] utf8 = line.getBytes(UTF_8);
    return times.find(Body.padded(utf8), 0, utf8.length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "2026-11-20T08:30:00Z ERROR failed                      ~ 2026-11-20T08:30:00.0000000Z",
        "2026-11-20T08:30:00.123456789+01:00 failed             ~ 2026-11-20T07:30:00.1234567Z",
        "2026-11-20T08:30:00,123+0100 failed                    ~ 2026-11-20T07:30:00.1230000Z",
        "[2026-11-20T08:30:00Z] failed                          ~ 2026-11-20T08:30:00.0000000Z",
        "  (2026-11-20t08:30:00z) failed                        ~ 2026-11-20T08:30:00.0000000Z",
        "2026-11-20T08:30:00Z                                   ~ 2026-11-20T08:30:00.0000000Z",
        "2026-11-20 08:30:00.123 UTC [77] LOG:  started         ~ 2026-11-20T08:30:00.1230000Z",
        "2026-11-20 08:30:00 +0100 [info]: started              ~ 2026-11-20T07:30:00.0000000Z",
        "[2026-11-20 08:30:00 -0330] [12] [INFO] started        ~ 2026-11-20T12:00:00.0000000Z",
        "10.0.0.7 - - [20/Nov/2026:08:30:00 +0100] \"GET /\" 200 ~ 2026-11-20T07:30:00.0000000Z",
        "::1 [x] - [01/Jan/2026:00:00:00 +0000] \"GET /\"       ~ 2026-01-01T00:00:00.0000000Z",
        "time=2026-11-20T08:30:00Z level=info                   ~ 2026-11-20T08:30:00.0000000Z",
        "level=info ts=1795163400.5 msg=started                 ~ 2026-11-20T08:30:00.5000000Z",
        "level=info timestamp=\"2026-11-20T08:30:00+01:00\" x=1 ~ 2026-11-20T07:30:00.0000000Z",
        "a=1\tts=1795163400123                                  ~ 2026-11-20T08:30:00.1230000Z",
      })
  void aTimeWithAZoneIgnoresTheGivenZone(String line, String time) {
    assertThat(Ticks.text(find(withoutZone, line))).isEqualTo(time);
    assertThat(Ticks.text(find(inBerlin, line))).isEqualTo(time);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "2026-11-20 08:30:00 status installed bash:amd64 5.2    ~ 2026-11-20T07:30:00.0000000Z",
        "2026-11-20 08:30:00,123 INFO started                   ~ 2026-11-20T07:30:00.1230000Z",
        "2026-11-20 08:30:00.123 [main] INFO started            ~ 2026-11-20T07:30:00.1230000Z",
        "[2026-11-20T08:30:00,123] started                      ~ 2026-11-20T07:30:00.1230000Z",
        "2026/11/20 08:30:00 [error] 7#7: closed                ~ 2026-11-20T07:30:00.0000000Z",
        "2026-07-20 08:30:00 started                            ~ 2026-07-20T06:30:00.0000000Z",
        "2026-11-20 08:30:00 +1234 units                        ~ 2026-11-20T07:30:00.0000000Z",
        "2026-11-20 08:30:00 -1200 EUR refunded                 ~ 2026-11-20T07:30:00.0000000Z",
        "2026-11-20 08:30:00,404,/x                             ~ 2026-11-20T07:30:00.0000000Z",
        "2026-11-20 08:30:00,4 x                                ~ 2026-11-20T07:30:00.0000000Z",
        "2026-11-20 08:30:00 BEGIN                              ~ 2026-11-20T07:30:00.0000000Z",
        "2026-11-20 08:30:00 ts=1600000000 is the token's       ~ 2026-11-20T07:30:00.0000000Z",
        "level=info time=2026-11-20T08:30:00 msg=started        ~ 2026-11-20T07:30:00.0000000Z",
      })
  void aTimeWithoutAZoneIsReadInTheGivenZone(String line, String time) {
    assertThat(Ticks.text(find(inBerlin, line))).isEqualTo(time);
    assertThat(inBerlin.isZoneless()).isFalse();
    assertThat(find(withoutZone, line)).isEqualTo(Rfc3339.NOT_A_TIME);
    assertThat(withoutZone.isZoneless()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20 08:30:00.123 CET [123] LOG:  started",
        "2026-11-20 08:30:00 EST",
        "2026-11-20 01:30:00 PM started",
        "2026-11-20 08:30:00 [+0100] started",
      })
  void anAmbiguousZoneIsNotRead(String line) {
    for (LineTimes times : new LineTimes[] {withoutZone, inBerlin}) {
      assertThat(find(times, line)).isEqualTo(Rfc3339.NOT_A_TIME);
      assertThat(times.isZoneless()).isFalse();
      assertThat(times.hasUnread()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "time=1534567890 rows=5",
        "started",
        "    at shop.Cart.pay(Cart.java:12)",
        "since 2026-11-20T08:30:00Z nothing happened",
        "2026-11-20",
        "2026-13-20T08:30:00Z",
        "2026-11-20T08:30:00Zulu",
        "1999-11-20T08:30:00Z",
        "12026-11-20T08:30:00Z",
        "GET /x?ts=1795163400 200",
        "took time=12 ms",
        "ts=abc",
        "ts=17951634001795163400179516340017951634",
        "uptime=1795163400",
        "[20/Nov/2026:08:30:00]",
        "[20/Foo/2026:08:30:00 +0000]",
        "[31/Feb/2026:08:30:00 +0000]",
      })
  void otherTextsAreNotTimes(String line) {
    for (LineTimes times : new LineTimes[] {withoutZone, inBerlin}) {
      assertThat(find(times, line)).isEqualTo(Rfc3339.NOT_A_TIME);
      assertThat(times.isZoneless()).isFalse();
    }
  }

  @Test
  void bytesAfterTheLineAreNotRead() {
    byte[] b = Body.padded("ts=1795163400 2026-11-20T08:30:00Z".getBytes(UTF_8));
    assertThat(withoutZone.find(b, 0, 12)).isEqualTo(Rfc3339.NOT_A_TIME);
    assertThat(withoutZone.find(b, 14, 33)).isEqualTo(Rfc3339.NOT_A_TIME);
    assertThat(withoutZone.isZoneless()).isTrue();
  }
}
