package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdsTest {
  private final RequestIds ids = new RequestIds();

  @ParameterizedTest
  @ValueSource(strings = {"a", "9f1c-4.2_B", "4bf92f3577b34da6a3ce929d0e0e4736"})
  void keepsTheNameThatTheClientSent(String sent) {
    assertThat(ids.of(sent)).isEqualTo(sent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " a", "a b", "a\nb", "ä", "a\"", "{}", "a/b"})
  void makesOneWhereALogCouldNotHoldIt(String sent) {
    assertThat(ids.of(sent)).isNotEqualTo(sent).matches("[0-9a-f]{8}-\\d+");
  }

  @Test
  void theLongestHas128Characters() {
    assertThat(ids.of("a".repeat(128))).hasSize(128).startsWith("aa");
    assertThat(ids.of("a".repeat(129))).doesNotStartWith("aaa");
  }

  @Test
  void namesDiffer() {
    RequestIds others = new RequestIds();
    assertThat(Stream.of(ids.of(null), ids.of(null), others.of(null), others.of(null)))
        .doesNotHaveDuplicates();
  }
}
