package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestKeyTest {
  @ParameterizedTest
  @CsvSource({"kitten, sitting, 3", "'', abc, 3", "abc, '', 3", "same, same, 0", "flaw, lawn, 2"})
  void countsEdits(String a, String b, int edits) {
    assertThat(NearestKey.distance(a, b)).isEqualTo(edits);
  }

  @ParameterizedTest
  @CsvSource({
    "http.prot, http.port",
    "port, http.port",
    "retention.type, retention.types",
    "bucketing.target_columns, bucketing.target-columns",
    "role, roles",
  })
  void findsWhatWasMeant(String key, String meant) {
    assertThat(NearestKey.to(key, Reference.KEYS.keySet())).isEqualTo(meant);
  }
}
