package hourglass.config.gate.auth;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.gate.keys.Key;
import hourglass.config.gate.keys.KeyGrants;
import hourglass.config.gate.keys.KeyRing;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticatorTest {
  private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");

  @TempDir private Path folder;

  /** An expired key excludes its client, regardless of other names in the certificate. */
  @Test
  void theFirstKnownNameOfACertificateIsUsed() throws IOException {
    KeysFile file = new KeysFile(folder.resolve("keys.conf"));
    file.add("old", new KeyGrants(Set.of(Scope.INGEST), List.of(), NOW, 0));
    file.add("ada", new KeyGrants(Set.of(Scope.QUERY), List.of(), null, 0));
    file.add("bob", new KeyGrants(Set.of(Scope.QUERY), List.of(), null, 0));
    try (KeyRing ring = KeyRing.open(file, new SimpleMeterRegistry(), (before, after) -> {})) {
      Authenticator authenticator =
          new Authenticator(ring, new Sessions(() -> NOW), () -> NOW, request -> List.of());
      assertThat(name(authenticator.certified(List.of("unknown", "ada", "bob")))).isEqualTo("ada");
      assertThat(name(authenticator.certified(List.of("unknown", "old", "ada")))).isNull();
      assertThat(name(authenticator.certified(List.of("ada", "old")))).isEqualTo("ada");
      assertThat(name(authenticator.certified(List.of("unknown")))).isNull();
      assertThat(name(authenticator.certified(List.of()))).isNull();
    }
  }

  private static @Nullable String name(@Nullable Key key) {
    return key == null ? null : key.name();
  }
}
