package hourglass.config.gate.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {

  private static Credentials of(String name, String value) {
    return Credentials.of(MultiMap.caseInsensitiveMultiMap().add(name, value));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void acceptsEachFormOfAKey() {
    Credentials bare = new Credentials(null, "hg_s");
    Credentials named = new Credentials("ada", "hg_s");
    assertThat(of("Authorization", "Bearer hg_s")).isEqualTo(bare);
    assertThat(of("authorization", "bearer  hg_s ")).isEqualTo(bare);
    assertThat(of("X-API-Key", " hg_s ")).isEqualTo(bare);
    assertThat(of("Authorization", "Basic " + base64("ada:hg_s"))).isEqualTo(named);
    assertThat(of("Authorization", "ApiKey " + base64("ada:hg_s"))).isEqualTo(named);
    assertThat(of("Authorization", "Basic " + base64("ada:hg_:s")))
        .isEqualTo(new Credentials("ada", "hg_:s"));
  }

  @Test
  void requestsWithoutAHeaderHaveNoKey() {
    assertThat(of("Accept", "*/*")).isNull();
  }

  /** An unreadable key is a wrong key, not a missing one. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "Bearer", "Bearer ", "Basic", "Basic !!", "Basic aGc", "Digest x", "hg_s"})
  void unreadableKeysAreWrongKeys(String header) {
    assertThat(of("Authorization", header)).isNotNull().matches(shown -> shown.secret().isEmpty());
  }

  @Test
  void textNeverContainsTheSecret() {
    assertThat(of("Authorization", "Basic " + base64("ada:hg_s")).toString())
        .contains("ada")
        .doesNotContain("hg_s");
  }
}
