package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyCodingTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip                          | GZIP",
        "zstd                          | ZSTD",
        "gzip, zstd                    | ZSTD",
        "gzip, deflate, br, zstd       | ZSTD",
        "gzip, deflate                 | GZIP",
        "GZip;Q=1.0                    | GZIP",
        "x-gzip                        | GZIP",
        "zstd;q=0.5, gzip;q=0.8        | GZIP",
        "zstd; q=0.9 ,gzip;q=0.8       | ZSTD",
        "gzip;q=0                      | IDENTITY",
        "gzip;q=0, zstd;q=0.001        | ZSTD",
        "identity, gzip;q=0.5          | IDENTITY",
        "identity;q=0.5, gzip;q=0.5    | GZIP",
        "identity                      | IDENTITY",
        "deflate, br                   | IDENTITY",
        "*                             | GZIP",
        "*;q=0                         | IDENTITY",
        "gzip;q=0, *                   | IDENTITY",
        "gzip;q=many                   | IDENTITY",
        "gzip;level=9                  | IDENTITY",
      })
  void codingFollowsThePreferenceOfTheClient(String header, BodyCoding coding) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Accept-Encoding", header);
    assertThat(BodyCoding.of(headers)).isEqualTo(coding);
  }

  @Test
  void codingIsIdentityWithoutAHeader() {
    assertThat(BodyCoding.of(MultiMap.caseInsensitiveMultiMap())).isEqualTo(BodyCoding.IDENTITY);
  }

  @Test
  void severalHeadersAreOneList() {
    MultiMap headers =
        MultiMap.caseInsensitiveMultiMap()
            .add("Accept-Encoding", "gzip;q=0.5")
            .add("accept-encoding", "zstd;q=0.4");
    assertThat(BodyCoding.of(headers)).isEqualTo(BodyCoding.GZIP);
  }
}
