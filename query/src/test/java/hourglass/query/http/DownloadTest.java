package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.QueryOptions;
import hourglass.store.testkit.OracleStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "download=true&type=NUL                               | \"events-NUL.json\"",
        "download=true&type=..                                | \"events-...json\"",
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
  void otherAnswersHaveNoFileName() {
    assertThat(SERVER.get("/api/v1/events").headers()).doesNotContainKey("Content-Disposition");
    assertThat(SERVER.get("/api/v1/events?download=false").headers())
        .doesNotContainKey("Content-Disposition");
    assertThat(SERVER.get("/api/v1/plan?download=true").headers())
        .as("a plan is told, whatever it is of")
        .doesNotContainKey("Content-Disposition");
    assertThat(SERVER.get("/api/v1/events?download=true&limit=x").headers())
        .doesNotContainKey("Content-Disposition");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "invoice%E2%80%AEfdp.exe", // reads as invoiceexe.pdf
        "%E2%81%A7x.csv",
        "a%E2%80%8Bb.csv",
        "a%C2%ADb.csv",
        "%EF%BB%BFa.csv",
        "a%E2%80%A8b.csv",
        "a%00.csv",
        "a%C2%85.csv",
        "a%7F.csv",
        "a/b.csv",
        "a%5Cb.csv",
        "C:a.csv",
        "a.csv:stream",
        "a*.csv",
        "a%3Fb.csv",
        "%3Cscript%3E.csv",
        "a%7Cb.csv",
        ".",
        "..",
        ".bashrc",
        "a.exe.",
        "a.csv%20",
        "%20a.csv",
        "%C2%A0a.csv",
        "a.csv%E3%80%80",
        "CON",
        "nul.txt",
        "Com1.csv",
        "LPT%C2%B9.tar.gz",
        "aux%20.csv",
        "conin$",
      })
  void misleadingFileNamesAreRefused(String name) {
    for (String path : new String[] {"events", "plan"}) {
      QueryServer.Reply refused = SERVER.get("/api/v1/" + path + "?filename=" + name);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).startsWith("filename: ").contains("is not a file's name");
      assertThat(refused.headers()).doesNotContainKey("Content-Disposition");
    }
  }

  @Test
  void fileNamesAreAsLongAsFileSystemsAllow() {
    String umlauts = "%C3%BC".repeat(98) + ".csv";
    assertThat(SERVER.get("/api/v1/events?filename=" + umlauts).status()).isEqualTo(200);
    assertThat(SERVER.get("/api/v1/events?filename=a" + umlauts).status()).isEqualTo(400);
    assertThat(SERVER.get("/api/v1/events?filename=console.csv").status()).isEqualTo(200);
  }
}
