package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretTextTest {
  private static final String SECRET = "hg_" + "aB3_-".repeat(8) + "xyz";

  @Test
  void hidesSecretsAnywhereInAText() {
    assertThat(SecretText.hide("there is nothing at /" + SECRET + ", \"" + SECRET + "x\""))
        .isEqualTo("there is nothing at /hg_***, \"hg_***\"");
    assertThat(SecretText.hide("key=" + SECRET.substring(0, 30))).isEqualTo("key=hg_***");
  }

  @Test
  void leavesTextsWithoutSecretsUnchanged() {
    for (String text : new String[] {"", "hg_", "hg_short", "no secret in here"}) {
      assertThat(SecretText.hide(text)).isEqualTo(text);
    }
  }
}
