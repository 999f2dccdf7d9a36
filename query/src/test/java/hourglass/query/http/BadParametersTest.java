package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.testkit.OracleStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every refusal names the parameter, its value and the allowed values. */
class BadParametersTest {
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
      quoteCharacter = '\'',
      value = {
        "events?limit=0                      | limit: \"0\" is not a number from 1 to 2147483647,"
            + " or all",
        "events?limit=-1                     | limit: \"-1\" is not a number from 1 to 2147483647,"
            + " or all",
        "events?limit=ten                    | limit: \"ten\" is not a number from 1 to 2147483647,"
            + " or all",
        "events?limit=99999999999            | limit: \"99999999999\" is not a number",
        "events?limit=1&limit=2              | limit: given 2 times (\"1\", \"2\"), want it once",
        "events?order=up                     | order: \"up\" is not asc or desc",
        "events?format=xml                   | format: \"xml\" is not ndjson, json, csv, raw or"
            + " cloudevents",
        "events?hour=2026-11-20              | hour: \"2026-11-20\" is not an hour such as"
            + " 2026-11-20T08",
        "events?hour=2026-13-20T08           | hour: \"2026-13-20T08\" is not an hour",
        "events?hour=1999-12-31T23           | hour: \"1999-12-31T23\" is not an hour such as"
            + " 2026-11-20T08, in 2000-2099",
        "events?hour=2026-11-20T08&from=2026-11-20T08 | hour: \"2026-11-20T08\" is given with from"
            + " or to; want either",
        "events?from=yesterday               | from: \"yesterday\" is not a time such as"
            + " 2026-11-20T08:00:00Z",
        "events?to=2026-11-20T08:00          | to: \"2026-11-20T08:00\" is not a time such as",
        "events?from=2026-11-20T09&to=2026-11-20T08 | from: \"2026-11-20T09\" is after to:"
            + " \"2026-11-20T08\"",
        "events?type=                        | type: \"\" is not an event type of 1 to 256 bytes",
        "events?contains=                    | contains: \"\" is not a text of at least one"
            + " character",
        "events?cursor=made-up               | cursor: \"made-up\" is not a cursor that an earlier"
            + " page gave",
        "events?cursor=                      | cursor: \"\" is not a cursor",
        "events?cursor=%E2%82%AC             | is not a cursor",
        "events?fields=id                    | fields: \"id\" is given without format=csv",
        "events?csv_safe=true                | csv_safe: \"true\" is given without format=csv",
        "plan?format=raw&csv_safe=false      | csv_safe: \"false\" is given without format=csv",
        "events?timeout=4                    | timeout: \"4\" is not a length of time such as 500ms, 4s or"
            + " 1m, at most 600000 ms (query.timeout)",
        "types?timeout=0s                    | timeout: \"0s\" is not a length of time",
        "rows?timeout=11m                    | timeout: \"11m\" is not a length of time such as 500ms, 4s"
            + " or 1m, at most 600000 ms (query.timeout)",
        "plan?timeout=                       | timeout: \"\" is not a length of time",
        "events?timeout=1s&timeout=2s        | timeout: given 2 times (\"1s\", \"2s\"), want it once",
        "tail?timeout=1s                     | timeout: \"1s\" is given, but there is no such parameter",
        "events?progress=true                | progress: \"true\" is given without format=ndjson",
        "events?progress=false               | progress: \"false\" is given without format=ndjson",
        "plan?format=raw&progress=true       | progress: \"true\" is given without format=ndjson",
        "events?format=ndjson&progress=yes   | progress: \"yes\" is not true or false",
        "events?format=ndjson&progress=true&download=true | progress: \"true\" is given with a"
            + " download",
        "events?format=ndjson&progress=true&around=00000000-0000-1000-8000-000000000000 | progress:"
            + " \"true\" is given with around",
        "hits?progress=true                  | progress: \"true\" is given, but there is no such",
        "events?format=csv&csv_safe=yes      | csv_safe: \"yes\" is not true or false",
        "events?format=csv&fields=id,data.   | fields: \"data.\" is not id, time, type, data or a"
            + " path such as data.path",
        "events?format=csv&fields=data.      | fields: \"data.\" is not",
        "events?format=csv&fields=           | fields: \"\" is not",
        "events?where=                       | where: \"\" is not a text of at least one character",
        "events?where=data.a+%3D%3D          | where: \"data.a ==\": column 10: mismatched input",
        "events?where=data.a+%3E+1+%26%26+datta.b | where: \"data.a > 1 && datta.b\": column 15:"
            + " there is no datta; want data, type, time, id, detected_level or a function of CEL",
        "events?where=1+%2B+1                | where: \"1 + 1\": column 3: expected type",
        "events?around=x                     | around: \"x\" is not a time UUID such as",
        "plan?around=x                       | around: \"x\" is not a time UUID such as",
        "types?around=x                      | around: \"x\" is given, but there is no such"
            + " parameter",
        "events?partial=yes                  | partial: \"yes\" is not allow",
        "events?partial=                     | partial: \"\" is not allow",
        "rows?partial=allow                   | partial: \"allow\" is given, but there is no such",
        "events?download=yes                 | download: \"yes\" is not true or false",
        "events?download=false&filename=a    | filename: \"a\" is given with download=false",
        "plan?filename=                      | filename: \"\" is not a file's name of 1 to 200",
        "events?filename=..%2Fpasswd         | filename: \"../passwd\" is not a file's name",
        "events?filename=a%0Ab               | is not a file's name of 1 to 200 bytes",
        "events?lmit=5                       | lmit: \"5\" is given, but there is no such"
            + " parameter; want one of around, contains, csv_safe, cursor, download, fields,"
            + " filename, format, from, hour, icase, limit, order, partial, progress, q, timeout, to, type,"
            + " where, word",
        "events?step=1m                      | step: \"1m\" is given, but there is no such"
            + " parameter",
        "hits                                | from, to: not given; want from and to, or hour",
        "hits?from=2026-11-20T08             | to: not given; want from and to, or hour",
        "hits?hour=2026-11-20T08&step=0s     | step: \"0s\" is not a length of time such as 500ms,"
            + " 1s",
        "hits?hour=2026-11-20T08&step=1week  | step: \"1week\" is not a length of time",
        "hits?hour=2026-11-20T08&by=data.     | by: \"data.\" is not type, or a path into",
        "events?word=                        | word: \"\" is not a text of at least one character",
        "hits?hour=2026-11-20T08&where=x     | where: \"x\": column 1: there is no x; want data,"
            + " type, time, id",
        "types?where=1                       | where: \"1\": column 1: expected type",
        "rows?where=true                     | where: \"true\" is given, but there is no such"
            + " parameter",
        "hits?hour=2026-11-20T08&limit=5     | limit: \"5\" is given, but there is no such"
            + " parameter",
        "hits?from=2000-01-01T00&to=2099-01-01T00&step=1s | step: 1000 ms makes more than 100000"
            + " counts",
        "types?hour=now                      | hour: \"now\" is not an hour",
        "types?format=csv                    | format: \"csv\" is given, but there is no such"
            + " parameter",
        "../../openapi.yaml?v=1              | v: \"1\" is given, but there is no such parameter;"
            + " want none",
        "stats                               | field: not given; want a path into the payload such as"
            + " data.ms",
        "top?field=                          | field: \"\" is not a path into the payload",
        "stats?field=data                      | field: \"data\" is not a path into the payload such as"
            + " data.ms",
        "stats?field=data                    | field: \"data\" is not a path into the payload",
        "top?field=data.                     | field: \"data.\" is not a path into the payload",
        "top?field=data.a&field=data.b       | field: given 2 times",
        "stats?field=data.a&by=data          | by: \"data\" is not type, or",
        "stats?field=data.a&n=5              | n: \"5\" is given, but there is no such parameter",
        "top?field=data.a&n=0                | n: \"0\" is not a number from 1 to 1000",
        "top?field=data.a&n=1001             | n: \"1001\" is not a number from 1 to 1000",
        "top?field=data.a&n=all              | n: \"all\" is not a number from 1 to 1000",
        "top?field=data.a&step=1m            | step: \"1m\" is given, but there is no such",
        "top?field=data.a&by=data.           | by: \"data.\" is not type, or a path into",
        "top?field=data.a&by=type&by=type    | by: \"type\" is given twice",
        "stats?field=data.a&by=type&by=data.a&by=data.b&by=data.c | by: given 4 times, at most 3",
        "events?icase=true                   | icase: \"true\" is given without contains",
        "events?contains=a&icase=1           | icase: \"1\" is not true or false",
        "hits?hour=2026-11-20T08&groups=3    | groups: \"3\" is given without by",
        "top?field=data.a&by=type&groups=0   | groups: \"0\" is not a number from 1 to 1000",
        "top?field=data.a&where=x            | where: \"x\": column 1: there is no x",
        "stats?field=data.a&step=1m          | from, to: not given; want from and to, or hour",
        "fields?sample=0.5                   | sample: \"0.5\" is not 1, for all events",
        "fields?prefix=ms                    | prefix: \"ms\" is not the beginning of a name such as",
        "fields?n=1001                       | n: \"1001\" is not a number from 1 to 1000",
        "rows?from=1                         | from: \"1\" is not a time",
      })
  void badParametersAreRefusedByName(String request, String detail) {
    Reply reply = SERVER.get("/api/v1/" + request);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.body()).contains(detail);
  }

  @Test
  void theLengthOfAFieldIsBounded() {
    assertThat(SERVER.get("/api/v1/top?field=data." + "a.".repeat(125)).status()).isEqualTo(200);
    Reply reply = SERVER.get("/api/v1/top?field=data." + "a.".repeat(126) + "b");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).isEqualTo("field: 258 characters, at most 256");
  }

  @Test
  void headIsRefusedLikeGet() {
    assertThat(SERVER.head("/api/v1/events?where=x").status()).isEqualTo(400);
    assertThat(SERVER.head("/api/v1/hits?hour=2026-11-20T08&where=x").status()).isEqualTo(400);
    assertThat(SERVER.head("/api/v1/events?where=true").status()).isEqualTo(200);
    assertThat(SERVER.head("/api/v1/types?where=true").status()).isEqualTo(200);
  }

  @Test
  void aCursorOfAnotherQueryIsRefused() {
    Fill.row(STORE, "t", 3);
    String cursor = SERVER.get("/api/v1/events?limit=1").headers().get("Hourglass-Cursor");
    for (String other :
        new String[] {"order=desc", "type=t", "contains=n", "where=true", "hour=2026-11-20T08"}) {
      Reply reply = SERVER.get("/api/v1/events?" + other + "&cursor=" + cursor);
      assertThat(reply.status()).as(other).isEqualTo(400);
      assertThat(reply.body()).contains("belongs to another query");
    }
    assertThat(SERVER.get("/api/v1/events?limit=2&format=raw&cursor=" + cursor).body())
        .isEqualTo("{\"n\":1}\n{\"n\":2}\n");
    char last = cursor.charAt(cursor.length() - 3);
    String bent =
        cursor.substring(0, cursor.length() - 3)
            + (last == 'A' ? 'B' : 'A')
            + cursor.substring(cursor.length() - 2);
    assertThat(SERVER.get("/api/v1/events?cursor=" + bent).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "from=2026-11-20T08&to=2026-11-20T09, 3",
    "from=2026-11-20T08:00:00Z, 3",
    "from=2026-11-20T09:00:00.5%2B01:00, 2",
    "from=2026-11-20T09:00:00.5+01:00, 2",
    "from=2026-11-20%2008:00:01z, 2",
    "to=2026-11-20T08:00:01Z, 1",
    "to=2026-11-20T08:00:01.000000050Z, 2",
    "from=2026-11-20T08:00:01.000000050Z, 1",
    "from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59Z, 3",
    "from=2026-11-20T08:00:01Z&to=2026-11-20T08:00:01Z, 0",
    "hour=2026-11-20T08, 3",
    "type=t&type=u&hour=2026-11-20T08, 3",
    "type=u, 0",
  })
  void timesAreAcceptedInAllForms(String query, int events) {
    Fill.row(STORE, "t", 3);
    assertThat(SERVER.lines("/api/v1/events?format=raw&" + query)).hasSize(events);
  }
}
