package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {
  @ParameterizedTest
  @CsvSource({
    // text                | host                  | port | address
    "localhost,              localhost,              -1,    false",
    "LocalHost.:8080,        localhost,              8080,  false",
    "a_b.c-d.example:,       a_b.c-d.example,        -1,    false",
    "127.0.0.1:80,           127.0.0.1,              80,    true",
    "0.0.0.0,                0.0.0.0,                -1,    true",
    "[::1]:65535,            ::1,                    65535, true",
    "[0:0::0:1],             ::1,                    -1,    true",
    "[::FFFF:127.0.0.1],     127.0.0.1,              -1,    true",
    "localhost.evil.example, localhost.evil.example, -1,    false",
    "127.0.0.1.nip.io,       127.0.0.1.nip.io,       -1,    false",
    // Forms of addresses that browsers never send: names, unknown to any DNS.
    "2130706433,             2130706433,             -1,    false",
    "0x7f.0.0.1,             0x7f.0.0.1,             -1,    false",
    "127.1,                  127.1,                  -1,    false",
    "127.0.0.01,             127.0.0.01,             -1,    false",
    "256.0.0.1,              256.0.0.1,              -1,    false",
  })
  void readsHostsAndPorts(String text, String host, int port, boolean isAddress) {
    assertThat(Authority.parse(text)).isEqualTo(new Authority(host, port, isAddress));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":80",
        ".",
        "a..b",
        ".a",
        "a b",
        "a,b",
        "a/b",
        "user@localhost",
        "localhost:80a",
        "localhost:-1",
        "localhost:65536",
        "localhost:99999999999",
        "localhost:80:80",
        "::1",
        "[::1",
        "[::1]x",
        "[::1]80",
        "[]",
        "[1.2.3.4]",
        "[fe80::1%eth0]",
        "[localhost]",
        "-a",
        "l\u00f6calhost",
        "%6cocalhost",
        "http://localhost",
        "localhost\u0000",
      })
  void refusesInvalidAuthorities(String text) {
    assertThat(Authority.parse(text)).isNull();
  }
}
