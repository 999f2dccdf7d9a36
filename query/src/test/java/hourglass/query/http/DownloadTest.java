package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.QueryOptions;
import hourglass.store.testkit.OracleStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a browser would call the file. */
class DownloadTest {
  private static final OracleStore STORE = new OracleStore();
  private static final QueryServer SERVER = new QueryServer(STORE, QueryOptions.builder().build());

  @AfterAll
  static void close() {
    SERVER.close();
    STORE.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "download=true                                        | \"events.json\"",
        "download=true&format=ndjson                          | \"events.ndjson\"",
        "download=true&format=csv&type=checkout               | \"checkout.csv\"",
        "download=true&format=raw&hour=2026-11-20T08          | \"events-2026-11-20T08.ndjson\"",
        "download=true&format=cloudevents&hour=2026-11-20T08  | \"events-2026-11-20T08.json\"",
        "download=true&type=b&type=a&hour=2026-11-20T08       | \"a+b-2026-11-20T08.json\"",
        "download=true&type=a&type=b&type=c&type=d            | \"4-types.json\"",
        "download=true&type=a%2F..%2F%22b                     | \"a_..__b.json\"",
        "download=true&type=%C3%BC                            | \"_.json\"",
        "download=true&from=2026-11-20T08&to=2026-11-20T10:30:00Z"
            + " | \"events-20261120T080000Z-20261120T103000Z.json\"",
        "download=true&from=2026-11-20T08                     | \"events-from-20261120T080000Z.json\"",
        "download=true&to=2026-11-20T08                       | \"events-until-20261120T080000Z.json\"",
        "filename=mine.json                                   | \"mine.json\"",
        "download=true&filename=my%20file.json                | \"my file.json\"",
        "filename=a%22b%3Bc.json        | \"a_b_c.json\"; filename*=UTF-8''a%22b%3Bc.json",
        "filename=%C3%BCber%20100%25.csv | \"_ber 100_.csv\"; filename*=UTF-8''%C3%BCber%20100%25.csv",
      })
  void aDownloadHasAName(String query, String name) {
    String path = "/api/v1/events?" + query;
    String said = "attachment; filename=" + name;
    assertThat(SERVER.get(path).headers()).containsEntry("Content-Disposition", said);
    assertThat(SERVER.head(path).headers()).containsEntry("Content-Disposition", said);
    assertThat(SERVER.get(path + "&limit=all").headers())
        .containsEntry("Content-Disposition", said);
  }

  @Test
  void whatIsNoneHasNoName() {
    assertThat(SERVER.get("/api/v1/events").headers()).doesNotContainKey("Content-Disposition");
    assertThat(SERVER.get("/api/v1/events?download=false").headers())
        .doesNotContainKey("Content-Disposition");
    assertThat(SERVER.get("/api/v1/plan?download=true").headers())
        .as("a plan is told, whatever it is of")
        .doesNotContainKey("Content-Disposition");
    assertThat(SERVER.get("/api/v1/events?download=true&limit=x").headers())
        .doesNotContainKey("Content-Disposition");
  }
}
