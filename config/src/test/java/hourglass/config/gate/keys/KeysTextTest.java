package hourglass.config.gate.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.Limits;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTextTest {
  private static final String SECRET = "hg_0123456789012345678901234567890123456789abc";
  private static final String HASH = SecretHash.of(SECRET).text();

  @Test
  void readsAllMembersOfAKey() {
    Keys keys =
        KeysText.read(
            """
            keys {
              ada { secrets = ["%s"], scopes = [query], types = [checkout, "shop.*"]
                    expires = "2027-01-01T00:00:00Z", limits { events-per-second = 1000 } }
              "ship.per" { scopes = [ingest, metrics] }
            }
            """
                .formatted(HASH));
    Key ada = keys.of(SecretHash.of(SECRET));
    assertThat(ada).isNotNull();
    assertThat(ada.name()).isEqualTo("ada");
    assertThat(ada.has(Scope.QUERY)).isTrue();
    assertThat(ada.has(Scope.INGEST)).isFalse();
    assertThat(ada.types().texts()).containsExactly("checkout", "shop.*");
    assertThat(ada.limits()).isEqualTo(new Limits(1000, 0, 0, 0, 0, 0));
    assertThat(ada.isExpired(Instant.parse("2026-12-31T23:59:59Z"))).isFalse();
    assertThat(ada.isExpired(Instant.parse("2027-01-01T00:00:00Z"))).isTrue();
    Key shipper = keys.named("ship.per");
    assertThat(shipper).isNotNull();
    assertThat(shipper.types().isAll()).isTrue();
    assertThat(shipper.secrets()).isEmpty();
  }

  @Test
  void adminIncludesEveryScope() {
    Keys keys = KeysText.read("keys { root { scopes = [admin] } }");
    assertThat(keys.all()).singleElement().matches(key -> key.has(Scope.INGEST));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "keys { ada { scopes = [read] } } # keys.ada.scopes: \"read\" is no scope",
        "keys { ada { } } # keys.ada.scopes: none; want",
        "keys { ada { scopes = [query], type = [a] } } # keys.ada.type: unknown; want",
        "keys { ada { scopes = [query], types = [] } } # keys.ada.types: an empty list",
        "keys { ada { scopes = [query], types = shop } } # keys.ada.types: want a list of texts",
        "keys { ada { scopes = [query], expires = tomorrow } } # keys.ada.expires: not a time",
        "keys { ada { scopes = [query], limits { events = 1 } } } # keys.ada.limits.events: unknown",
        "keys { ada { scopes = [query], limits { tails = -1 } } } # keys.ada.limits.tails: want",
        "keys { \"a b\" { scopes = [query] } } # a name has 1 to 64 letters",
        "keys = 5 # keys: want { NAME",
        "ada { scopes = [query] } # ada: is given, but a file of keys has only keys",
        "keys { ada { # line 1: not HOCON",
      })
  void refusesUnknownAndInvalidMembers(String text, String problem) {
    assertThatThrownBy(() -> KeysText.read(text))
        .isInstanceOf(KeysFileException.class)
        .hasMessageContaining(problem);
  }

  /** Neither is in the file that is watched, and each may be different in each process. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "include \"/etc/passwd\"",
        "include file(\"/etc/passwd\")",
        "include url(\"http://127.0.0.1:1/keys\")",
        "include classpath(\"reference.conf\")",
        "include required(file(\"/etc/passwd\"))",
        "keys { include \"more\" }",
        "keys { ada { scopes = [query], expires = ${HOME} } }",
        "keys { ada { scopes = [query], types = ${?HOME} } }",
        "keys = ${HOME}",
        "keys { ada = ${HOME} { scopes = [query] } }",
      })
  void includesAndSubstitutionsAreRefused(String text) {
    assertThatThrownBy(() -> KeysText.read(text))
        .isInstanceOf(KeysFileException.class)
        .message()
        .containsAnyOf("include: a file of keys has all", "${...}: not in a file of keys")
        .doesNotContain("passwd", "HOME");
  }

  @Test
  void nestingIsBounded() {
    assertThatThrownBy(() -> KeysText.read("keys = " + "[".repeat(1_000_000)))
        .isInstanceOf(KeysFileException.class);
  }

  /** Somebody may paste the secret in place of its hash, or break the file next to it. */
  @ParameterizedTest
  @CsvSource({
    "'keys { ada { secrets = [\"SECRET\"], scopes = [query] } }'",
    "'keys { ada { secrets = SECRET, scopes = [query] } }'",
    "'keys { ada { secrets = [\"SECRET\", }'",
    "'keys { ada { secrets = [\"SECRET'",
    "'keys { ada SECRET } }'",
    "'keys { ada { expires = \"SECRET\", scopes = [query] } }'",
    "'keys { ada { limits = \"SECRET\", scopes = [query] } }'",
  })
  void problemsNeverShowASecret(String text) {
    assertThatThrownBy(() -> KeysText.read(text.replace("SECRET", SECRET)))
        .isInstanceOf(KeysFileException.class)
        .hasMessageNotContaining(SECRET.substring(3));
  }

  @Test
  void oneSecretOpensOneKey() {
    String text =
        "keys { a { secrets = [\"%1$s\"], scopes = [query] }, b { secrets = [\"%1$s\"], scopes = [ingest] } }"
            .formatted(HASH);
    assertThatThrownBy(() -> KeysText.read(text)).hasMessageContaining("is that of a too");
  }
}
