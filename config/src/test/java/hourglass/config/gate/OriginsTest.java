package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginsTest {
  private static final Origins ORIGINS =
      new Origins(List.of("https://logs.example", "http://dev:5173"));

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080,    localhost:8080, true",
    "http://LOCALHOST:8080,    localhost:8080, true",
    "http://localhost:8081,    localhost:8080, false",
    "http://127.0.0.1:8080,    localhost:8080, false",
    "http://localhost,         localhost:80,   true",
    "http://localhost,         localhost,      true",
    "https://localhost,        localhost,      true", // a proxy speaks HTTPS
    "https://localhost,        localhost:443,  true",
    "https://localhost,        localhost:80,   false",
    "https://localhost:8080,   localhost:8080, true",
    "http://[::1]:8080,        '[0::1]:8080',  true",
    "https://logs.example,     localhost:8080, true",
    "https://logs.example:443, localhost:8080, true",
    "http://logs.example,      localhost:8080, false",
    "http://dev:5173,          localhost:8080, true",
    "http://dev:5174,          localhost:8080, false",
    "null,                     localhost:8080, false",
    "file://,                  localhost:8080, false",
    "file://localhost:8080,    localhost:8080, false",
    "localhost:8080,           localhost:8080, false",
    "http://localhost:8080/,   localhost:8080, false",
    "http://a@localhost:8080,  localhost:8080, false",
    "'',                       localhost:8080, false",
    "http://evil.example,      localhost:8080, false",
  })
  void onlyOwnAndListedPagesAreAllowed(String origin, String host, boolean allowed) {
    assertThat(ORIGINS.allow(origin, Authority.parse(host), false)).isEqualTo(allowed);
  }

  /** An attacker on the network can forge a page without TLS under any name. */
  @ParameterizedTest
  @CsvSource({
    "https://localhost:8080, localhost:8080, true",
    "http://localhost:8080,  localhost:8080, false",
    "http://localhost,       localhost,      false",
    "http://dev:5173,        localhost:8080, true", // is listed
  })
  void withTlsOnlyPagesWithTlsAreAllowed(String origin, String host, boolean allowed) {
    assertThat(ORIGINS.allow(origin, Authority.parse(host), true)).isEqualTo(allowed);
  }
}
