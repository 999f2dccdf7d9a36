package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodePointsTest {
  private static final List<String> ASCENDING =
      List.of(
          "",
          "a",
          "a\uE000",
          "a\uFF5E",
          "a\uFF5Ez",
          "a\uD83D\uDE00",
          "a\uD83D\uDE00b",
          "a\uD83D\uDE01",
          "b",
          "\u00E9",
          "\uE000",
          "\uFFFF",
          "\uD800\uDC00",
          "\uDBFF\uDFFF");

  @Test
  void orderIsThatOfUtf8Bytes() {
    for (String a : ASCENDING) {
      for (String b : ASCENDING) {
        int byBytes =
            Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
        assertThat(CodePoints.compare(a, b)).as(a + b).isEqualTo(Integer.signum(byBytes));
      }
    }
    assertThat(ASCENDING).isSortedAccordingTo(CodePoints.ORDER);
  }

  @Test
  void loneSurrogatesPrecedeTheCharactersFromE000() {
    List<String> ascending =
        List.of(
            "\uD7FF", "\uD83D", "\uD83D\uD83D", "\uD83D\uE000", "\uDE00", "\uE000", "\uD83D\uDE00");
    assertThat(ascending).isSortedAccordingTo(CodePoints.ORDER);
    assertThat(CodePoints.compare("\uD83D\uDE00", "\uD83D\uE000")).isEqualTo(1);
  }
}
