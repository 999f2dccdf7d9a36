package hourglass.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictQueryTest {
  @ParameterizedTest
  @CsvSource({
    "type=a&hour=2026-11-20T08, true",
    "type=%C3%BC, true",
    "type=%f0%9f%98%80, true",
    "type=a+b%20c%25, true",
    "type=%FF, false",
    "type=%C3%28, false",
    "type=%C3, false",
    "type=%ED%A0%80, false",
    "type=ü, false",
    "type=%, true", // not ours to judge
    "type=%G1, true",
  })
  void onlyUtf8(String query, boolean is) {
    assertThat(StrictQuery.isUtf8(query)).isEqualTo(is);
  }
}
