package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {
  private static final ClientAddress BEHIND_PROXIES =
      new ClientAddress(
          Stream.of("10.0.0.0/8", "192.0.2.7", "fd00::/8", "203.0.113.128/25")
              .map(AddressRange::parse)
              .toList());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // peer              | X-Forwarded-For                  | client
        "198.51.100.1        | -                                | 198.51.100.1",
        "198.51.100.1        | 1.2.3.4                          | 198.51.100.1", // not a proxy
        "10.1.2.3            | -                                | 10.1.2.3",
        "10.1.2.3            | 198.51.100.1                     | 198.51.100.1",
        "10.1.2.3            | 1.1.1.1, 198.51.100.1            | 198.51.100.1", // the first one is
        // made up
        "10.1.2.3            | 1.1.1.1,198.51.100.1 , 192.0.2.7 | 198.51.100.1",
        "10.1.2.3            | 10.9.9.9, 192.0.2.7              | 10.9.9.9", // proxies alone
        "10.1.2.3            | 198.51.100.1:4711                | 198.51.100.1",
        "10.1.2.3            | \"[2001:db8:1:2:3::4]:4711\"     | 2001:db8:1:2::/64",
        "10.1.2.3            | 2001:db8:1:2:3::4                | 2001:db8:1:2::/64",
        "10.1.2.3            | ::ffff:198.51.100.1              | 198.51.100.1",
        "10.1.2.3            | unknown                          | 10.1.2.3",
        "10.1.2.3            | 198.51.100.1, _hidden            | 10.1.2.3",
        "10.1.2.3            | 198.51.100.1,                    | 10.1.2.3",
        "10.1.2.3            | 198.51.100.1, 192.0.2.7, x       | 10.1.2.3",
        "203.0.113.127       | 1.2.3.4                          | 203.0.113.127",
        "203.0.113.129       | 1.2.3.4                          | 1.2.3.4",
        "fd12:0:0:0:0:0:0:1  | 2001:db8::1                      | 2001:db8::/64",
        "fe80::1%eth0        | -                                | fe80::/64",
        "0:0:0:0:0:0:0:1     | 1.2.3.4                          | ::/64",
        "-                   | 1.2.3.4                          | unknown",
      })
  void addressIsTheLastThatIsNotATrustedProxy(String peer, String forwarded, String client) {
    List<String> headers = forwarded == null ? List.of() : List.of(forwarded);
    assertThat(BEHIND_PROXIES.of(peer, headers)).isEqualTo(client);
  }

  @Test
  void severalHeadersAreOneList() {
    assertThat(BEHIND_PROXIES.of("10.1.2.3", List.of("1.1.1.1", "198.51.100.1", "10.0.0.9")))
        .isEqualTo("198.51.100.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0.1/8",
        "::/129",
        "10.0.0.0/-1",
        "1.2.3"
      })
  void aBadRangeIsRefused(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
