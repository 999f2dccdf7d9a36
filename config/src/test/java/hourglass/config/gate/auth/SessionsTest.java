package hourglass.config.gate.auth;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.gate.keys.KeyGrants;
import hourglass.config.gate.keys.Keys;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionsTest {
  @TempDir Path folder;

  private Instant now = Instant.parse("2026-11-20T08:00:00Z");
  private final Sessions sessions = new Sessions(() -> now);
  private KeysFile file;
  private String secret;

  @BeforeEach
  void addKey() throws IOException {
    file = new KeysFile(folder.resolve("keys.conf"));
    secret = file.add("ada", new KeyGrants(Set.of(Scope.QUERY), List.of(), null, 0));
  }

  private Keys keys() {
    return file.read();
  }

  @Test
  void aSessionIsValidInEveryProcessWithTheFile() {
    String cookie = sessions.begin(secret);
    assertThat(sessions.secret(cookie, keys())).isEqualTo(secret);
    assertThat(new Sessions(() -> now).secret(cookie, keys())).isEqualTo(secret);
  }

  @Test
  void aCookieDoesNotShowTheSecret() {
    byte[] bytes = Base64.getUrlDecoder().decode(sessions.begin(secret));
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain(secret.substring(3));
  }

  @Test
  void aSessionEndsAfterAWeek() {
    String cookie = sessions.begin(secret);
    now = now.plus(Duration.ofDays(7).minusSeconds(1));
    assertThat(sessions.secret(cookie, keys())).isEqualTo(secret);
    now = now.plusSeconds(1);
    assertThat(sessions.secret(cookie, keys())).isNull();
  }

  @Test
  void aSessionEndsWithItsKeyOrByItsUser() throws IOException {
    String cookie = sessions.begin(secret);
    String other = sessions.begin(secret);
    sessions.end(cookie, keys());
    assertThat(sessions.secret(cookie, keys())).isNull();
    assertThat(sessions.secret(other, keys())).isEqualTo(secret);
    file.revoke("ada", null);
    assertThat(sessions.secret(other, keys())).isNull();
  }

  /** Otherwise the holder of a copied cookie could restore its session. */
  @Test
  void forgedCookiesDoNotRestoreAnEndedSession() {
    String cookie = sessions.begin(secret);
    Keys keys = keys();
    sessions.end(cookie, keys);
    Random random = Seed.random(this);
    byte[] madeUp = new byte[70];
    for (int i = 0; i < 20_000; i++) {
      random.nextBytes(madeUp);
      sessions.end(Base64.getUrlEncoder().withoutPadding().encodeToString(madeUp), keys);
    }
    assertThat(sessions.secret(cookie, keys)).isNull();
  }

  @Test
  void mutatedCookiesAreRefused() {
    Random random = Seed.random(this);
    Keys keys = keys();
    byte[] good = sessions.begin(secret).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < Tier.length(400, 2_000, 100_000); i++) {
      byte[] bytes = good.clone();
      // The last character has bits that are not part of the cookie.
      bytes[random.nextInt(bytes.length - 1)] = (byte) (' ' + 1 + random.nextInt(94));
      String cookie =
          new String(bytes, 0, bytes.length - random.nextInt(3), StandardCharsets.US_ASCII);
      String opened = sessions.secret(cookie, keys);
      assertThat(opened == null || cookie.equals(new String(good, StandardCharsets.US_ASCII)))
          .as(cookie)
          .isTrue();
    }
  }
}
