package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "30d,     P30D,     30 d",
    "1 day,   P1D,      1 d",
    "36h,     PT36H,    36 h",
    "10 min,  PT10M,    10 min",
    "10m,     PT10M,    10 min",
    "90 s,    PT90S,    90 s",
    "1.5 s,   PT1.5S,   1500 ms",
    "500ms,   PT0.5S,   500 ms",
    "2us,     PT0.000002S, 2 us",
    "0,       PT0S,     0",
    "0 s,     PT0S,     0",
  })
  void durations(String text, Duration duration, String shown) {
    assertThat(Quantity.duration(text)).isEqualTo(duration);
    assertThat(Quantity.show(duration)).isEqualTo(shown);
    assertThat(Quantity.duration(shown)).isEqualTo(duration);
  }

  @ParameterizedTest
  @CsvSource({
    "1 MiB,   1048576,    1 MiB",
    "1M,      1048576,    1 MiB",
    "64MiB,   67108864,   64 MiB",
    "1.5 KiB, 1536,       1536 B",
    "1 MB,    1000000,    1000000 B",
    "2 kB,    2000,       2000 B",
    "4096,    4096,       4 KiB",
    "12 B,    12,         12 B",
    "1 TiB,   1099511627776, 1 TiB",
    "0,       0,          0",
  })
  void sizes(String text, long bytes, String shown) {
    assertThat(Quantity.bytes(text)).isEqualTo(bytes);
    assertThat(Quantity.showBytes(bytes)).isEqualTo(shown);
    assertThat(Quantity.bytes(shown)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "d", "-1 s", "1 parsec", "1,5 s", "10", "1e3 s", "300000 d", "0.1 ns"})
  void notDurations(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantity.duration(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1", "1 XB", "0.5", "9999999 TiB", "1 mb"})
  void notSizes(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantity.bytes(text));
  }
}
