package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "9f1c-4.2_B", "4bf92f3577b34da6a3ce929d0e0e4736"})
  void keepsTheIdOfTheClient(String sent) {
    assertThat(RequestId.of(sent)).isEqualTo(sent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " a", "a b", "a\nb", "ä", "a\"", "{}", "a/b"})
  void replacesAnIdUnfitForALog(String sent) {
    assertThat(RequestId.of(sent)).isNotEqualTo(sent).matches("[0-9a-f]{8}-\\d+");
  }

  @Test
  void replacesAnIdThatContainsASecret() {
    String secret = "hg_" + "aB3_-".repeat(8) + "xyz";
    assertThat(RequestId.of(secret)).matches("[0-9a-f]{8}-\\d+");
    assertThat(RequestId.of("a." + secret)).matches("[0-9a-f]{8}-\\d+");
  }

  @Test
  void replacesAnIdLongerThan128Characters() {
    assertThat(RequestId.of("a".repeat(128))).hasSize(128).startsWith("aa");
    assertThat(RequestId.of("a".repeat(129))).doesNotStartWith("aaa");
  }

  @Test
  void generatedIdsDiffer() {
    assertThat(Stream.generate(() -> RequestId.of(null)).limit(1_000)).doesNotHaveDuplicates();
  }
}
