package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations and sizes, as people write them. */
class KindsTest {
  @ParameterizedTest
  @CsvSource({
    "30d,     P30D",
    "1 day,   P1D",
    "36h,     PT36H",
    "10 min,  PT10M",
    "10m,     PT10M",
    "90 s,    PT90S",
    "90 sec,  PT90S",
    "1.5 s,   PT1.5S",
    "500ms,   PT0.5S",
    "2us,     PT0.000002S",
    "0,       PT0S",
    "0 s,     PT0S",
  })
  void durations(String text, Duration duration) {
    assertThat(Kinds.duration(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @CsvSource({
    "1 MiB,   1048576",
    "1M,      1048576",
    "64MiB,   67108864",
    "1.5 KiB, 1536",
    "1 MB,    1000000",
    "2 kB,    2000",
    "4096,    4096",
    "12 B,    12",
    "1 TiB,   1099511627776",
    "0,       0",
  })
  void sizes(String text, long bytes) {
    assertThat(Kinds.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "d",
        "-1 s",
        "1 parsec",
        "1,5 s",
        "10",
        "1e3 s",
        "300000 d",
        "0.1 ns",
        "0.0001 us"
      })
  void notDurations(String text) {
    assertThatException()
        .isThrownBy(
            () -> Kinds.duration("0", "36525 d").apply(ConfigValueFactory.fromAnyRef(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "MiB", "-1", "1 XB", "0.5", "1.5 B", "0.3 KiB", "9999999 TiB", "1 mb"})
  void notSizes(String text) {
    assertThatException().isThrownBy(() -> Kinds.bytes(text));
  }
}
