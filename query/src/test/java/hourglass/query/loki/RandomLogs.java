package hourglass.query.loki;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.loki.LogModel.Event;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Random events, as Loki's push, syslog and others write them, and random queries about them. */
public final class RandomLogs {
  public static final Hour HOUR = Hour.parse("2026-11-20T08");

  private static final List<String> TYPES = List.of("shop", "audit", "b_c", "pay");
  private static final List<String> NAMES =
      List.of(
          "service_name",
          "app",
          "env",
          "level",
          "detected_level",
          "host",
          "trace",
          "status",
          "ms",
          "user",
          "a_b",
          "http_host",
          "level_extracted",
          "none",
          "size",
          "took");

  /** Members whose names are those of levels, and some that are not. */
  private static final String[] LEVELS = {
    "\"lvl\":\"warning\"",
    "\"Level\":\"Error\"",
    "\"SEVERITY\":\"dbg\"",
    "\"log.level\":\"critical\"",
    "\"severity_text\":\"WARN2\"",
    "\"Lvl\":5",
    "\"LEVEL\":\"\"",
    "\"L\\u0056L\":\"fatal\"",
    "\"detected_level\":\"Custom\"",
    "\"loglevel\":\"trace\""
  };

  private final Random random;

  public RandomLogs(Random random) {
    this.random = random;
  }

  private String oneOf(String... of) {
    return of[random.nextInt(of.length)];
  }

  private boolean chance(int of) {
    return random.nextInt(of) == 0;
  }

  /** Returns events in order, each with a time of its own. */
  public List<Event> events(int count) {
    TreeSet<Long> times = new TreeSet<>();
    while (times.size() < count) {
      long tick = random.nextInt(3600) * Ticks.PER_SECOND + (chance(2) ? 0 : random.nextInt(1000));
      times.add(HOUR.startTicks() + tick);
    }
    List<Event> events = new ArrayList<>();
    for (long ticks : times) {
      events.add(new Event(TYPES.get(random.nextInt(TYPES.size())), ticks, payload()));
    }
    return events;
  }

  /**
   * Writes into rows of each type.
   *
   * @param rows the most rows of a type. With one, no event may be in two, so a store's fields
   *     suffice for queries that they decide
   */
  public static void write(WideColumnStore store, List<Event> events, int rows) {
    for (Event event : events) {
      ColumnsBuilder out = new ColumnsBuilder(1, 1);
      byte[] bytes = event.payload().getBytes(StandardCharsets.UTF_8);
      TimeUuid name = TimeUuid.first(event.ticks());
      out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
      int shard = (int) (event.ticks() / Ticks.PER_SECOND % rows);
      RowKey row = new RowKey(HOUR, event.type(), shard);
      store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
    }
  }

  private String payload() {
    return switch (random.nextInt(7)) {
      case 0, 1 -> ofLoki();
      case 2, 3 -> ofLokiAsObject();
      case 4 ->
          "{\"message\":\"disk %d full\",\"severity\":\"%s\",\"facility\":\"user\",\"hostname\":\"h\"}"
              .formatted(random.nextInt(4), oneOf("err", "info"));
      default -> plain();
    };
  }

  private String ofLoki() {
    String line =
        switch (random.nextInt(3)) {
          case 0 ->
              oneOf(
                  "GET /a b0 \\\"q\\\" \u00e9 error",
                  "[WARN] a=b q",
                  "errors: none (Info)",
                  "\\tDEBUG: x=\\\"y\\\" Severity=Err lvl=\\\"fatal\\\"",
                  "a:error b-info terror",
                  "GET \\/a b1 q \u00e9 error",
                  "GET \\u002fa b2 \\\"q\\\" error",
                  "disk 1 f\\u0075ll, \\u0065rror");
          case 1 ->
              "level=%s took=%dms size=%dKB path=\\\"/x y\\\" status=%d"
                  .formatted(oneOf("info", "warn"), random.nextInt(9), random.nextInt(9), status());
          default ->
              "{\"status\":%d,\"ms\":%d.5,\"user\":\"%s\",\"a\":{\"b\":%d},\"level\":\"debug\"}"
                  .formatted(status(), random.nextInt(50), oneOf("ann", "bob"), random.nextInt(3))
                  .replace("\"", "\\\"");
        };
    return "{\"message\":\"%s\",%s}".formatted(line, labels());
  }

  /** Mostly as a push writes it: what the client said besides comes first. */
  private String ofLokiAsObject() {
    String ours =
        "\"_loki\":"
            + (chance(12)
                ? oneOf("7", "{}", "{\"labels\":1}", "{\"app\":\"web\"}")
                : "{" + labels() + "}");
    String object =
        chance(3)
            ? "{\"status\":%d,\"ms\":%d,\"user\":\"ann\",\"level\":\"%s\"}"
                .formatted(status(), random.nextInt(50), oneOf("error", "debug"))
            : plain();
    boolean isEmpty = object.substring(1).isBlank() || object.equals("{}");
    if (!isEmpty && chance(9)) {
      return object.substring(0, object.length() - 1) + ", " + ours + oneOf("}", "\n}");
    }
    return "{" + oneOf("", "", " ", "\n\t") + ours + (isEmpty ? "" : ",") + object.substring(1);
  }

  private String labels() {
    String labels =
        "{\"app\":\"%s\"%s%s%s}"
            .formatted(
                oneOf("web", "db"),
                chance(8) ? "," + oneOf(LEVELS) : "",
                chance(2) ? ",\"env\":\"" + oneOf("p", "q", "") + "\"" : "",
                chance(3) ? ",\"level\":\"" + oneOf("error", "info") + "\"" : "");
    return "\"labels\":" + labels + (chance(3) ? ",\"metadata\":{" + metadata() + "}" : "");
  }

  private String metadata() {
    String trace = "\"trace\":\"t%d\"".formatted(random.nextInt(3));
    return switch (random.nextInt(8)) {
      case 0 -> oneOf(LEVELS) + "," + trace;
      case 1 -> trace + ",\"level\":\"" + oneOf("ERROR", "Information", "5") + "\"";
      case 2 -> "\"detected_level\":\"" + oneOf("Warning", "info") + "\"," + trace;
      case 3 -> "\"severity_number\":\"" + oneOf("0", "1", "12", "13", "24", "25", "x") + "\"";
      default -> trace;
    };
  }

  private int status() {
    return 200 + 100 * random.nextInt(4);
  }

  private String plain() {
    List<String> members = new ArrayList<>();
    if (chance(2)) {
      members.add("\"status\":" + oneOf("200", "500", "\"500\"", "null", "404.0"));
    }
    if (chance(2)) {
      members.add("\"ms\":" + (chance(9) ? "\"1e999\"" : random.nextInt(50)));
    }
    if (chance(3)) {
      members.add("\"level\":\"" + oneOf("error", "info", "") + "\"");
    }
    if (chance(4)) {
      members.add("\"severity\":\"" + oneOf("ERROR", "INFO") + "\"");
    }
    if (chance(6)) {
      members.add(oneOf(LEVELS));
    }
    if (chance(9)) {
      members.add("\"severity_number\":" + oneOf("17", "9", "\"4\"", "null"));
    }
    if (chance(9)) {
      members.add("\"error\":{" + oneOf(LEVELS) + ",\"in\":{\"level\":\"debug\"}}");
    }
    if (chance(3)) {
      members.add("\"host\":\"" + oneOf("h1", "h2", "\\u0068\\u0031") + "\"");
    }
    if (chance(4)) {
      members.add("\"http\":{\"host\":\"" + oneOf("x.org", "y.org") + "\"}");
    }
    if (chance(6)) {
      members.add("\"http.host\":\"z.org\"");
    }
    if (chance(6)) {
      members.add("\"labels\":{\"env\":\"" + oneOf("p", "q") + "\",\"n\":5,\"x\":{}}");
    }
    if (chance(8)) {
      members.add("\"labels.env\":\"dotted\"");
    }
    if (chance(8)) {
      members.add("\"_loki.labels\":{\"app\":\"web\",\"level\":\"error\"}");
    }
    if (chance(6)) {
      members.add("\"message\":\"hello world error\"");
    }
    if (chance(5)) {
      members.add("\"a\":{\"b\":" + random.nextInt(3) + ",\"c\":[1,{\"d\":2}]}");
    }
    if (chance(5)) {
      members.add("\"user\":\"" + oneOf("ann", "b\u00f6b", "x \\\"y\\\"") + "\"");
    }
    if (chance(5)) {
      members.add("\"metadata\":{\"trace\":\"t1\"}");
    }
    if (chance(8)) {
      // Of equal keys, the model knows the last one only.
      boolean hasLabels = members.stream().anyMatch(one -> one.startsWith("\"labels\":"));
      boolean hasLevel = members.stream().anyMatch(one -> one.startsWith("\"level\":"));
      members.add(
          oneOf(
              hasLevel ? "\"\":1" : "\"l\\u0065vel\":\"escaped\"",
              "\"host\":\"h9\"",
              hasLabels ? "\"\":1" : "\"labels\":7",
              "\"\":1"));
    }
    Collections.shuffle(members, random);
    String separator = chance(5) ? ",\n  " : ",";
    return "{" + String.join(separator, members) + "}";
  }

  // Queries.

  public String selector() {
    StringBuilder query = new StringBuilder("{");
    query.append(
        oneOf(
            "service_name=~\".+\"",
            "service_name=\"shop\"",
            "service_name=~\"shop|audit\"",
            "service_name!=\"\", service_name!=\"pay\"",
            "app=\"web\"",
            "level=\"error\"",
            "level=~\"(?i)error|INFO\"",
            "env=~\"p|q|dotted\"",
            "http_host=~\".+org\"",
            "app=~\"w.b\""));
    while (chance(3)) {
      query.append(", ").append(matcher());
    }
    query.append("}");
    while (!chance(3)) {
      query.append(" ").append(stage());
    }
    return query.toString();
  }

  /** A query for texts alone. */
  public String texts() {
    StringBuilder query = new StringBuilder(oneOf("{service_name=~`.+`}", "{service_name=`shop`}"));
    do {
      query.append(chance(3) ? " |~ `" + regex() : " |= `" + text()).append("`");
    } while (chance(3));
    return query.toString();
  }

  private String name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  private String matcher() {
    return name()
        + oneOf(
            "=\"error\"",
            "!=\"info\"",
            "=\"warn\"",
            "!~\"info|unknown|debug\"",
            "=~\"p|web|h1|500\"",
            "!~\"q|t1\"",
            "=~\".*[0b]\"",
            "!~\"(?i)E.*|h\\\\d|4.+\"",
            "=~\"x .y.|b.b|.*\\\\.org\"",
            "=~\"(err|inf)or?\"",
            "=~\"(a.*)?\"",
            "=\"\"",
            "!=\"\"",
            "=\"h1\"",
            "=\"t1\"",
            "=\"ann\"",
            "=\"500\"");
  }

  private String stage() {
    return switch (random.nextInt(12)) {
      case 0 -> oneOf("|=", "!=") + " `" + text() + "`" + (chance(4) ? " or `status`" : "");
      case 1 ->
          oneOf("|~", "!~") + " `" + regex() + "`" + (chance(4) ? " or `" + regex() + "`" : "");
      case 2, 3, 4 -> "| json";
      case 5 -> "| logfmt";
      case 6 -> "| " + test();
      case 7 -> "| " + test() + oneOf(" and ", " or ", ", ") + test();
      case 8 ->
          "| "
              + oneOf("drop ", "drop ", "keep ")
              + name()
              + ","
              + name()
              + oneOf(" |= ``", " | none=``");
      case 9 ->
          "| "
              + test()
              + oneOf(" and (", " or (")
              + test()
              + oneOf(" or ", " and ")
              + test()
              + oneOf(" and ", " or ")
              + test()
              + ")";
      case 10 -> "| line_format \"{{." + name() + "}} at {{.level}}\"";
      default -> "| " + test();
    };
  }

  private String regex() {
    return oneOf(
        "err|full",
        "(?i)ERROR",
        "\\d\\d",
        "^.?level",
        "disk \\d+ full",
        "GET (/a|/x) b",
        "(?i)get /A b[01]",
        "b0 \"q\"",
        "\"status\":[2-5]00",
        "x?=\"y",
        "é");
  }

  private String text() {
    return oneOf(
        "error",
        "x.org\",   \"h",
        "\"status\":500",
        "{\"status\":500",
        "00,\"ms\"",
        "\"_loki\"",
        "\n",
        "/a b1",
        "\u00e9",
        "disk 1 full",
        "  ",
        ",   \"",
        "b0 \"q\" \u00e9",
        "\\\"",
        "GET /a",
        "");
  }

  private String test() {
    return chance(2)
        ? matcher()
        : oneOf("status", "ms", "a_b", "user", "n")
            + oneOf(">=", "<", "==", "!=", ">")
            + oneOf("500", "200", "20.5", "1")
            + (chance(8) ? " or took > 4ms or size<=3KB" : "");
  }

  public String metric() {
    String range = oneOf("[1m]", "[5m]", "[90s]", "[10m]", "[1h]", "[7s500ms]");
    String inner =
        switch (random.nextInt(4)) {
          case 0, 1 ->
              oneOf("count_over_time", "rate", "bytes_over_time", "bytes_rate")
                  + "("
                  + selector()
                  + range
                  + ")";
          case 2 -> oneOf("sum_over_time", "rate") + "(" + numbers() + range + ")";
          default ->
              oneOf("avg_over_time(", "min_over_time(", "max_over_time(", "quantile_over_time(0.9,")
                  + numbers()
                  + range
                  + ")"
                  + oneOf("", " by (host)", " by (level,user)", " without (trace, a_b)");
        };
    String by =
        oneOf(
            "",
            " by (service_name) ",
            " by (level, detected_level) ",
            " by (detected_level) ",
            " by (host) ",
            " by (status,user) ",
            " without (level) ",
            " by (env,trace) ",
            " by (http_host) ",
            " by () ");
    String outer =
        switch (random.nextInt(4)) {
          case 0 -> inner;
          case 1 -> oneOf("avg", "min", "max", "count") + by + "(" + inner + ")";
          default -> "sum" + by + "(" + inner + ")";
        };
    return chance(5)
        ? oneOf("2 * ", "100 - ") + outer
        : chance(5) ? outer + oneOf(" / 3", " ^ 2") : outer;
  }

  /** A query that the fields of most events decide. */
  public String metricOfFields() {
    String lines =
        oneOf("{service_name=~`.+`}", "{service_name=`shop`}", "{service_name=`shop`, app=`web`}")
            + oneOf("", " | json", " | json | status>=400", " | detected_level=`error`")
            + oneOf("", "", " | drop trace");
    String range = oneOf("[5m]", "[10m]", "[1h]");
    String by =
        " by (" + oneOf("app", "env", "level", "host", "user", "hostname", "detected_level");
    by += oneOf("", ",app", ",service_name", ",status") + ") ";
    return chance(2)
        ? "sum" + by + "(count_over_time(" + lines + range + "))"
        : oneOf("sum" + by + "(sum_over_time(%s))", "max_over_time(%s)" + by)
            .formatted(lines + " | unwrap " + oneOf("ms", "status", "n") + range);
  }

  private String numbers() {
    return selector()
        + oneOf(
            " | json | unwrap ms",
            " | json | unwrap status",
            " | json | unwrap a_b",
            " | logfmt | unwrap duration(took)",
            " | logfmt | unwrap bytes(size)",
            " | unwrap n",
            " | json | unwrap ms | __error__=\"\"");
  }
}
