package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TailCommandTest {
  private static final String BUSY =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 21\r\n\r\n{\"detail\":\"starting\"}";
  private static final String GONE =
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 17\r\n\r\n{\"detail\":\"gone\"}";

  private static String message(String position, String kind, String data) {
    return "id: %s\n%sdata: %s\n\n".formatted(position, kind, data);
  }

  private static String event(String position, int n) {
    return message(
        position,
        "",
        "{\"time\":\"2026-11-20T08:00:00.0000000Z\",\"type\":\"a\",\"data\":{\"n\": %d}}"
            .formatted(n));
  }

  private static Asked tail(String format, String... answers) throws Exception {
    try (CannedServer server = new CannedServer(answers)) {
      return Asked.run("tail", "--format", format, "--target", server.url());
    }
  }

  @Test
  void aBrokenTailContinuesAtItsPosition() throws Exception {
    String first = CannedServer.chunked("retry: 1\nid: p0\n\n" + event("p1", 1) + "id: p2\n", "");
    String second = CannedServer.chunked(event("p2", 2), "0\r\n\r\n");
    try (CannedServer server = new CannedServer(first, BUSY, second, GONE)) {
      Asked asked = Asked.run("tail", "--since", "5m", "--format=text", "--target", server.url());
      String head = "2026-11-20T08:00:00.000Z a ";
      assertThat(asked.out()).isEqualTo(head + "n=1\n" + head + "n=2\n");
      assertThat(asked.exit()).isEqualTo(1);
      assertThat(asked.err().lines())
          .hasSize(3)
          .anyMatch(line -> line.matches("hourglass: the answer broke off.*; coming back"))
          .contains("hourglass: the server ended the tail; coming back", "hourglass: gone");
      List<String> requests = server.requests();
      assertThat(requests).hasSize(4);
      assertThat(requests.get(0))
          .startsWith("GET /api/v1/tail?since=2026-11-20T08%3A10%3A30Z ")
          .doesNotContain("Last-Event-ID");
      assertThat(requests.get(1)).contains("Last-Event-ID: p1\n");
      assertThat(requests.get(2)).contains("Last-Event-ID: p1\n");
      assertThat(requests.get(3)).contains("Last-Event-ID: p2\n");
    }
  }

  @Test
  void aBrokenEventDoesNotEndTheTail() throws Exception {
    String broken = message("p1", "", "{\"time\":\"t\",\"type\":\"a\",\"data\":{");
    String answer = CannedServer.chunked("retry: 0\n" + broken + event("p2", 2), "0\r\n\r\n");
    Asked asked = tail("text", answer, GONE);
    assertThat(asked.out()).isEqualTo("2026-11-20T08:00:00.000Z a n=2\n");
    assertThat(asked.err()).startsWith("hourglass: not printed: the answer has a broken event");
  }

  @ParameterizedTest
  @CsvSource({"502 Bad Gateway", "504 Gateway Timeout"})
  void gatewayErrorsAreRetried(String status) throws Exception {
    String first = CannedServer.chunked("retry: 1\nid: p0\n\n", "0\r\n\r\n");
    String away = "HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n";
    String second = CannedServer.chunked(event("p1", 1), "0\r\n\r\n");
    assertThat(tail("text", first, away, second, GONE).out()).endsWith(" a n=1\n");
  }

  @Test
  void aTailWithoutAPositionCannotContinue() throws Exception {
    assertThat(tail("raw", CannedServer.chunked(": hello\n", "0\r\n\r\n")))
        .isEqualTo(new Asked(1, "", "hourglass: the server ended the tail\n"));
  }

  @Test
  void aTailGivesUpAfterManyRetries() throws Exception {
    String first = CannedServer.chunked("retry: 0\nid: p0\n\n", "0\r\n\r\n");
    String[] answers =
        Stream.concat(Stream.of(first), Collections.nCopies(30, BUSY).stream())
            .toArray(String[]::new);
    Asked asked = tail("raw", answers);
    assertThat(asked.exit()).isEqualTo(1);
    assertThat(asked.err()).endsWith("hourglass: starting\n");
  }

  @ParameterizedTest
  @CsvSource({
    "ndjson, '{\"type\":\"a\",\"data\":{\"n\": 1, \"}\":[]} }'",
    "raw, '{\"n\": 1, \"}\":[]} '"
  })
  void eventsArePrintedUnchanged(String format, String printed) throws Exception {
    String event = "{\"type\":\"a\",\"data\":{\"n\": 1, \"}\":[]} }";
    String answer = CannedServer.chunked("retry: 0\n" + message("p", "", event), "0\r\n\r\n");
    assertThat(tail(format, answer, GONE).out()).isEqualTo(printed + "\n");
  }

  @Test
  void notesOfTheServerArePrintedAsErrors() throws Exception {
    String notes =
        message("p1", "event: missed\n", "{\"from\":\"F\",\"to\":\"T\"}")
            + message("p2", "event: gap\n", "{\"detail\":\"old\"}")
            + message("p3", "event: failed\n", "{\"detail\":\"where: much\",\"event\":\"/e\"}")
            + message("p4", "event: late\n", "{\"time\":\"t\",\"type\":\"a\",\"data\":{}}");
    Asked asked = tail("text", CannedServer.chunked("retry: 0\n" + notes, "0\r\n\r\n"), GONE);
    assertThat(asked.out()).isEqualTo("t a (late)\n");
    assertThat(asked.err())
        .startsWith(
            """
            hourglass: missed: too slow for the events from F to T; query --from and --to has them
            hourglass: gap: old
            hourglass: failed: where: much: /e
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tail --format json | --format: json, want text, ndjson or raw",
        "query --follow --format csv | --format: csv, want text, ndjson or raw",
        "query --follow --desc | --follow: not with --hour, --to, --limit, --around or --desc",
        "query --follow --limit all | --follow: not with",
        "query --follow --hour 2026-11-20T08 | --follow: not with",
        "tail --since x | --since: x, want a duration such as 15m",
      })
  void wrongUsageIsRefused(String arguments, String message) {
    Asked asked = Asked.run(arguments.split(" "));
    assertThat(asked.exit()).isEqualTo(2);
    assertThat(asked.err()).contains(message);
  }
}
