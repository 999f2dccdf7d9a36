package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/?type=a&hour=2026-11-20T08",
        "/?type=%C3%BC",
        "/?type=%f0%9f%98%80",
        "/?type=a+b%20c%25",
        "/?contains=%00%0A",
        "/%C3%BC/a%20b",
        "//",
        "/../%2e%2e/",
      })
  void acceptsPercentEncodedUtf8(String target) {
    assertThat(RequestTarget.parse(target).authority()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/?type=%FF",
        "/?type=%C3%28",
        "/?type=%C3",
        "/?type=%ED%A0%80",
        "/?type=%",
        "/?type=%4",
        "/?type=%G1",
        "/?type=%u00e9",
        "/?%zz=a",
        "/%zz",
        "/%",
        "/%FF",
        "/%00",
        "/%7F",
        "/a%0d%0ab",
        "/#a",
        "*",
        "nope",
        "localhost:80",
        "ftp://localhost/",
        "http://",
        "http:///path",
        "http://a@localhost/",
        "http://local host/",
        "?a=b",
      })
  void refusesInvalidTargets(String target) {
    assertThatThrownBy(() -> RequestTarget.parse(target))
        .isInstanceOf(RefusedRequest.class)
        .extracting(refused -> ((RefusedRequest) refused).status())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "http://evil.example/api,       evil.example, /api",
    "HTTP://Evil.Example:80,        evil.example, /",
    "https://[::1]:8080/a?b=http:/, ::1,          /a",
    "http://localhost?a,            localhost,    /",
  })
  void readsTheHostOfAnAbsoluteTarget(String text, String host, String path) {
    RequestTarget target = RequestTarget.parse(text);
    assertThat(target.authority()).extracting(Authority::host).isEqualTo(host);
    assertThat(target.path()).isEqualTo(path);
  }
}
