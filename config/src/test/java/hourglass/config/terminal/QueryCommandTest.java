package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.ClosedPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryCommandTest {
  private static final String EVENT =
      "{\"id\":\"1\",\"time\":\"2026-11-20T08:00:00.0000000Z\",\"type\":\"a\",\"data\":{\"n\":1}}\n";
  private static final String COMPLETE = "Hourglass-Complete: true\r\n";

  @TempDir private Path folder;

  @Test
  void aCompleteAnswerIsPrintedUnchanged() throws Exception {
    Asked asked = Asked.with(CannedServer.whole(COMPLETE, EVENT), "query");
    assertThat(asked).isEqualTo(new Asked(0, EVENT, ""));
  }

  @Test
  void textIsALineForEachEvent() throws Exception {
    Asked asked =
        Asked.with(CannedServer.whole(COMPLETE, EVENT + EVENT), "query", "--format", "text");
    String line = "2026-11-20T08:00:00.000Z a n=1\n";
    assertThat(asked).isEqualTo(new Asked(0, line + line, ""));
  }

  @Test
  void trailersAreReadLikeHeaders() throws Exception {
    String answer = CannedServer.chunked(EVENT, "0\r\n" + COMPLETE + "\r\n");
    assertThat(Asked.with(answer, "query")).isEqualTo(new Asked(0, EVENT, ""));
  }

  @Test
  void aPageWithMoreEventsPrintsAHint() throws Exception {
    String next = "Link: </api/v1/events?cursor=x>; rel=\"next\"\r\n";
    assertThat(Asked.with(CannedServer.whole(COMPLETE + next, EVENT), "query"))
        .isEqualTo(new Asked(0, EVENT, "more: --limit all\n"));
    String page = "{\"events\":[],\"cursor\":\"x\",\"rows\":{},\"complete\":true}";
    assertThat(Asked.with(CannedServer.whole("", page), "query", "--format", "json"))
        .isEqualTo(new Asked(0, page + "\n", "more: --limit all\n"));
  }

  /** The events received are printed, but the exit code is never 0. */
  @Test
  void brokenAnswersFail() throws Exception {
    String cut = CannedServer.whole(COMPLETE, EVENT + EVENT);
    fails(cut.substring(0, cut.length() - EVENT.length()), "text", "broke off: 75 of 150 bytes");
    fails(cut.substring(0, cut.length() - EVENT.length()), "ndjson", "broke off: 75 of 150 bytes");
    fails(CannedServer.chunked(EVENT, ""), "text", "the answer broke off");
    fails(CannedServer.chunked(EVENT, ""), "raw", "the answer broke off");
    fails(CannedServer.chunked(EVENT, "5\r\n{\"a"), "csv", "the answer broke off");
    fails(CannedServer.chunked(EVENT, "0\r\n\r\n"), "text", "does not say that it is");
    fails(CannedServer.whole(COMPLETE, EVENT + "{\"id\":"), "text", "broken event");
    fails("HTTP/1.1 200 OK\r\n" + COMPLETE + "\r\n" + EVENT, "text", "its end is unknown");
    fails(CannedServer.whole("Hourglass-Complete: false\r\n", EVENT), "csv", "not complete");
    fails(
        CannedServer.whole("Hourglass-Complete: false\r\nHourglass-Missing: hours/x\r\n", EVENT),
        "text",
        "the answer is not complete; parts missing: hours/x");
    fails(CannedServer.whole("", "{\"events\":[],\"complete\":false}"), "json", "not complete");
    fails(CannedServer.whole("", "{\"events\":[]}"), "json", "not complete");
    fails(CannedServer.whole("", "{\"events\":[{"), "json", "broken JSON");
  }

  @Test
  void droppedHoursAreToldAndTheAnswerIsComplete() throws Exception {
    String dropped = "Hourglass-Dropped: 2026-11-20T08..2026-11-20T11\r\n";
    String answer = CannedServer.whole(COMPLETE + dropped, EVENT);
    Asked asked = Asked.with(answer, "query", "--format", "ndjson");
    assertThat(asked.exit()).isZero();
    assertThat(asked.err().strip())
        .isEqualTo("dropped, and not in the answer: 2026-11-20T08..2026-11-20T11");
  }

  private static void fails(String answer, String format, String message) throws Exception {
    Asked asked = Asked.with(answer, "query", "--format", format);
    assertThat(asked.exit()).as(message).isEqualTo(1);
    assertThat(asked.err().lines())
        .singleElement()
        .asString()
        .startsWith("hourglass: ")
        .contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // status | body | message
        "400 Bad Request | {\"status\":400,\"detail\":\"where: no\\nsuch\"} | where: no\\nsuch",
        "401 Unauthorized | {\"detail\":\"no key\"} | no key; --key-file or HOURGLASS_KEY holds the key",
        "404 Not Found | <html> | status 404: <html>",
        "502 Bad Gateway | '' | status 502",
        "503 Service Unavailable | {\"detail\":\"starting\"} | starting",
        "302 Found | {} | status 302: {}",
      })
  void refusalsPrintOneLine(String status, String body, String message) throws Exception {
    String answer = "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s";
    assertThat(Asked.with(answer.formatted(status, body.length(), body), "query"))
        .isEqualTo(new Asked(1, "", "hourglass: " + message + "\n"));
  }

  @Test
  void aRefusedConnectionPrintsOneLine() throws Exception {
    try (ClosedPort closed = new ClosedPort()) {
      String url = "http://" + closed.address();
      Asked asked = Asked.run("query", "--target", url);
      assertThat(asked.exit()).isEqualTo(1);
      assertThat(asked.err())
          .startsWith("hourglass: " + url + ": no answer (Connection refused")
          .endsWith("; --target or HOURGLASS_TARGET names the server\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // arguments | parameters
        "query | from=2026-11-20T08%3A00%3A30Z&limit=1000&format=ndjson",
        "query --since 2h --desc | from=2026-11-20T06%3A15%3A30Z&order=desc&limit=1000&format=ndjson",
        "query --hour 2026-11-20T08 --limit all | hour=2026-11-20T08&limit=all&format=ndjson",
        "query -n 7 | from=2026-11-20T08%3A00%3A30Z&limit=7&format=ndjson",
        "query --from 2026-11-20 --to 2026-11-21 --format csv | from=2026-11-20T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z&limit=1000&format=csv",
        "query --to 2026-11-21T07 | to=2026-11-21T07&limit=1000&format=ndjson",
        "query --hour 2026-02-28 | from=2026-02-28T00%3A00%3A00Z&to=2026-03-01T00%3A00%3A00Z&limit=1000&format=ndjson",
        "query --hour yesterday | from=2026-11-19T00%3A00%3A00Z&to=2026-11-20T00%3A00%3A00Z&limit=1000&format=ndjson",
        "query --from yesterday --to now | from=2026-11-19T00%3A00%3A00Z&to=2026-11-20T08%3A15%3A30Z&limit=1000&format=ndjson",
        "query --since yesterday | from=2026-11-19T00%3A00%3A00Z&limit=1000&format=ndjson",
        "query --since 2026-11-18 | from=2026-11-18T00%3A00%3A00Z&limit=1000&format=ndjson",
        "query --from today | from=2026-11-20T00%3A00%3A00Z&limit=1000&format=ndjson",
        "query --from 2026-11-20T07:30 --to 2026-11-20T09:00:00.5+01:00 | from=2026-11-20T07%3A30%3A00Z&to=2026-11-20T09%3A00%3A00.5%2B01%3A00&limit=1000&format=ndjson",
        "query --around 0c1f2f10-c5e2-11f1-8000-000000000001 | around=0c1f2f10-c5e2-11f1-8000-000000000001&limit=20&format=ndjson",
        "query --around 0c1f2f10-c5e2-11f1-8000-000000000001 -n 5 --type a --hour 2026-11-20T08 | hour=2026-11-20T08&type=a&around=0c1f2f10-c5e2-11f1-8000-000000000001&limit=5&format=ndjson",
        "query --type a --type b+c --where data.n==1 --contains x&y --icase | from=2026-11-20T08%3A00%3A30Z&type=a&type=b%2Bc&where=data.n%3D%3D1&contains=x%26y&icase=true&limit=1000&format=ndjson",
      })
  void optionsBecomeParameters(String arguments, String parameters) throws Exception {
    try (CannedServer server = new CannedServer(CannedServer.whole(COMPLETE, ""))) {
      Map<String, String> environment = Map.of("HOURGLASS_TARGET", server.url() + "/logs/");
      assertThat(Asked.run(environment, arguments.split(" ")).exit()).isZero();
      assertThat(server.requests().get(0))
          .startsWith("GET /logs/api/v1/events?" + parameters + " HTTP/1.1\n")
          .doesNotContain("Authorization");
    }
  }

  @Test
  void anEventIsRequestedByItsId() throws Exception {
    String id = "0c1f2f10-c5e2-11f1-8000-000000000001";
    String answer = CannedServer.whole("", EVENT.strip());
    try (CannedServer server = new CannedServer(answer, answer)) {
      String target = "--target=" + server.url();
      assertThat(Asked.run("query", "--id", id, "--type=a", "--format=text", target))
          .isEqualTo(new Asked(0, "2026-11-20T08:00:00.000Z a n=1\n", ""));
      assertThat(Asked.run("query", "--id", id, target)).isEqualTo(new Asked(0, EVENT, ""));
      assertThat(server.requests().get(0))
          .startsWith("GET /api/v1/events/" + id + "?type=a HTTP/1.1\n");
    }
  }

  @Test
  void eventsAroundOnePrintNoHint() throws Exception {
    String next = "Link: </api/v1/events?cursor=x>; rel=\"next\"\r\n";
    String id = "0c1f2f10-c5e2-11f1-8000-000000000001";
    assertThat(Asked.with(CannedServer.whole(COMPLETE + next, EVENT), "query", "--around", id))
        .isEqualTo(new Asked(0, EVENT, ""));
  }

  @Test
  void theKeyOfAFileOverridesTheEnvironment() throws Exception {
    Path file = Files.writeString(folder.resolve("key"), "hg_file\n");
    String answer = CannedServer.whole(COMPLETE, "");
    try (CannedServer server = new CannedServer(answer, answer)) {
      Map<String, String> environment =
          Map.of("HOURGLASS_TARGET", server.url(), "HOURGLASS_KEY", "hg_variable");
      Asked.run(environment, "query");
      Asked.run(environment, "query", "--key-file", file.toString());
      assertThat(server.requests().get(0)).contains("Authorization: Bearer hg_variable\n");
      assertThat(server.requests().get(1)).contains("Authorization: Bearer hg_file\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query --since 15 | --since: 15, want a duration such as 15m, 2h or 3d, a day such as 2026-11-20, a time",
        "query --hour x | --hour: x, want an hour such as 2026-11-20T08, a day such as 2026-11-20, today or yesterday",
        "query --from tomorrow | --from: tomorrow, want a day such as 2026-11-20, a time such as 2026-11-20T08:00:00Z, now, today or yesterday",
        "query --to 2026-13-01 | --to: 2026-13-01, want a day",
        "query --from today --to today | --to: today is not included, so nothing is left; --hour today is the whole day",
        "query --id x | --id: x, want the id of an event",
        "query --around x | --around: x, want the id of an event",
        "query --id 0c1f2f10-c5e2-11f1-8000-000000000001 --since 5m | --id: only with --type and --format",
        "query --around 0c1f2f10-c5e2-11f1-8000-000000000001 -n all | --limit: all, want a number with --around",
        "query --follow -n 5 | --follow: not with --hour, --to, --limit, --around or --desc",
        "query --hour 2026-11-20T08 --since 5m | --hour: not with --from, --to or --since",
        "query --since 5m --to 2026-11-20 | --since: not with --from or --to",
        "query --limit 0 | --limit: 0, want 1 or more, or all",
        "query --format xml | text, ndjson, raw, json, csv",
        "query --target ftp://h | --target: ftp://h, want http://HOST:PORT or https://HOST:PORT",
        "query --target 127.0.0.1:80 | want http://HOST:PORT",
        "query --key-file none | --key-file: none cannot be read",
      })
  void wrongUsageIsRefused(String arguments, String message) {
    Asked asked = Asked.run(arguments.split(" "));
    assertThat(asked.exit()).isEqualTo(2);
    assertThat(asked.err()).contains(message);
  }
}
