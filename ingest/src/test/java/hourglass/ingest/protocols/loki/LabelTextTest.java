package hourglass.ingest.protocols.loki;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelTextTest {
  private static Map<String, String> read(String text) {
    byte[] utf8 = ("before" + text + "after").getBytes(StandardCharsets.UTF_8);
    return new LabelText(utf8, 6, utf8.length - 5).read();
  }

  @Test
  void labelsKeepTheirOrder() {
    assertThat(read("{app=\"c\",env=\"p\"}").toString()).isEqualTo("{app=c, env=p}");
    assertThat(read(" { b = \"1\" , a=\"2\", } ").toString()).isEqualTo("{b=1, a=2}");
    assertThat(read("{a=\"1\",a=\"2\"}")).isEqualTo(Map.of("a", "2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{}", "{ }"})
  void textsWithoutLabelsAreRead(String text) {
    assertThat(read(text)).isEmpty();
  }

  @Test
  void valuesFollowTheStringSyntaxOfGo() {
    assertThat(read("{a=\"\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\\'\"}"))
        .isEqualTo(Map.of("a", "\u0007\b\f\n\r\t\u000b\\\"'"));
    assertThat(read("{a=\"\\x41\\303\\251\\u00e9\\U0001d11e\u20ac\"}"))
        .isEqualTo(Map.of("a", "A\u00e9\u00e9\ud834\udd1e\u20ac"));
    assertThat(read("{a=`C:\\n\"`}")).isEqualTo(Map.of("a", "C:\\n\""));
    assertThat(read("{a=\"\\xff\"}")).isEqualTo(Map.of("a", "\ufffd"));
  }

  @Test
  void unusualAndQuotedNamesAreAccepted() {
    assertThat(read("{k8s.pod-name=\"a\",\"x y\"=\"b\",\u00e9=\"c\"}"))
        .isEqualTo(Map.of("k8s.pod-name", "a", "x y", "b", "\u00e9", "c"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "app",
        "{",
        "{app",
        "{app}",
        "{app=",
        "{app=c}",
        "{app=\"c",
        "{app=\"c\"",
        "{app=\"c\"}x",
        "{,}",
        "{app=\"c\" env=\"p\"}",
        "{=\"c\"}",
        "{app=\"\\\"}",
        "{a=\"\\q\"}",
        "{a=\"\\x4\"}",
        "{a=\"\\u12\"}",
        "{a=\"\\ud800\"}",
        "{a=\"\\Uffffffff\"}",
        "{a=\"\\400\"}",
        "{a=\"\\08\"}",
        "{a=\"b\",,}"
      })
  void invalidTextsAreRefused(String text) {
    assertThat(read(text)).isNull();
  }
}
