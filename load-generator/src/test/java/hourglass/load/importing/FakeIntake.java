package hourglass.load.importing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes pushes as the server does: a line each, JSON or text, with {@code time} or a field that
 * stands for it. Events with a time are known by their place under a key. Payloads are kept by
 * arrival.
 */
final class FakeIntake implements AutoCloseable {
  /** Troubles, each of which meets one request that would store. */
  enum Trouble {
    BUSY,
    AWAY,
    CUT_BEFORE_STORING,
    CUT_AFTER_STORING,
    BROKEN
  }

  private final HttpServer server;
  private final BlockingQueue<Trouble> troubles = new LinkedBlockingQueue<>();
  private final List<String> stored = Collections.synchronizedList(new ArrayList<>());
  private final List<String> queries = Collections.synchronizedList(new ArrayList<>());
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private final List<String> firstLines = Collections.synchronizedList(new ArrayList<>());
  private final Set<String> known = Collections.synchronizedSet(new TreeSet<>());

  FakeIntake(Trouble... troubles) throws IOException {
    this.troubles.addAll(List.of(troubles));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/events", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The payloads, with the zone of their times where one was given. */
  List<String> stored() {
    return List.copyOf(stored);
  }

  /** Returns the query strings of the requests that would store. */
  List<String> queries() {
    return queries.stream().filter(query -> !query.contains("dry_run")).toList();
  }

  /** Returns the first line of each request that would store. */
  List<String> firstLines() {
    return List.copyOf(firstLines);
  }

  int dryRuns() {
    return (int) queries.stream().filter(query -> query.contains("dry_run=true")).count();
  }

  List<String> keys() {
    return List.copyOf(keys);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      boolean isDry = query.contains("dry_run=true");
      byte[] body = exchange.getRequestBody().readAllBytes();
      queries.add(query);
      keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      Trouble trouble = isDry ? null : troubles.poll();
      if (trouble == Trouble.BUSY || trouble == Trouble.AWAY) {
        exchange.getResponseHeaders().add("Retry-After", "0");
        answer(exchange, trouble == Trouble.BUSY ? 429 : 503, "{\"detail\":\"later\"}");
      } else if (trouble == Trouble.BROKEN) {
        answer(exchange, 413, "{\"detail\":\"body: too large\"}");
      } else if (trouble != Trouble.CUT_BEFORE_STORING) {
        boolean isText = "text/plain".equals(exchange.getRequestHeaders().getFirst("Content-Type"));
        String key = String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        JsonObject verdict = take(body, isText, query, isDry, key);
        if (trouble == null) {
          answer(exchange, verdict.getInteger("accepted") == 0 ? 400 : 200, verdict.encode());
        }
      }
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private JsonObject take(
      byte[] body, boolean isTextBody, String query, boolean isDry, String key) {
    Verdict verdict = new Verdict();
    String[] lines = new String(body, StandardCharsets.UTF_8).split("\n");
    if (!isDry) {
      firstLines.add(lines[0]);
    }
    for (String line : lines) {
      boolean isText = isTextBody && !line.strip().startsWith("{");
      String time = isText ? textTime(line) : verdict.time(line, parameter(query, "time_field"));
      if (verdict.ends(line, isText, time)) {
        if (!isDry
            && (time == null || known.add(key + " " + place(query, verdict.events) + " " + time))) {
          stored.add(line);
        }
      }
    }
    return verdict.json();
  }

  private static long place(String query, int number) {
    return Long.parseLong("0" + parameter(query, "first_place")) + number;
  }

  private static String parameter(String query, String name) {
    for (String each : query.split("&")) {
      if (each.startsWith(name + "=")) {
        return each.substring(name.length() + 1);
      }
    }
    return "";
  }

  /** Null: none. */
  private static @Nullable String textTime(String line) {
    String word = line.split(" ")[0];
    return word.matches("\\d{4}-.*Z") ? word : null;
  }

  private static final class Verdict {
    private final Map<String, List<Integer>> errors = new HashMap<>();
    private final TreeSet<String> times = new TreeSet<>();
    private int events;
    private int rejected;
    private int untimed;
    private int byTimestamp;
    private boolean hasDate;

    /** The text of the time; null: none. */
    @Nullable String time(String line, String timeField) {
      try {
        JsonObject event = new JsonObject(line);
        Object time = event.getValue(timeField.isEmpty() ? "time" : timeField);
        if (time == null && timeField.isEmpty() && event.containsKey("timestamp")) {
          byTimestamp++;
          time = event.getValue("timestamp");
        }
        hasDate |= event.containsKey("date");
        return time == null ? null : time.toString();
      } catch (io.vertx.core.json.DecodeException e) {
        return null;
      }
    }

    /** Whether the event is accepted. */
    boolean ends(String line, boolean isText, @Nullable String time) {
      String reason = isText ? "" : reason(line, time);
      int index = events++;
      if (!reason.isEmpty()) {
        errors.computeIfAbsent(reason, key -> new ArrayList<>()).add(index);
        rejected++;
        return false;
      }
      if (time == null) {
        untimed++;
      } else {
        times.add(time);
      }
      return true;
    }

    private static String reason(String line, @Nullable String time) {
      try {
        new JsonObject(line);
        if (time != null) {
          Instant.parse(time);
        }
        return "";
      } catch (io.vertx.core.json.DecodeException e) {
        return "not JSON";
      } catch (DateTimeException e) {
        return "time: not a time: \"" + time + "\"";
      }
    }

    JsonObject json() {
      JsonArray folded = new JsonArray();
      errors.forEach(
          (reason, indexes) ->
              folded.add(
                  new JsonObject()
                      .put("index", indexes.get(0))
                      .put("reason", reason)
                      .put("count", indexes.size())
                      .put("indexes", new JsonArray(indexes.stream().limit(100).toList()))));
      JsonObject json =
          new JsonObject()
              .put("accepted", events - rejected)
              .put("rejected", rejected)
              .put("errors", folded)
              .put("untimed", untimed);
      if (byTimestamp > 0) {
        json.put("time_fields", new JsonObject().put("timestamp", byTimestamp));
      }
      if (!times.isEmpty()) {
        json.put("times", new JsonObject().put("first", times.first()).put("last", times.last()));
      }
      if (untimed > 0 && hasDate) {
        json.put("hint", "time_field=date").put("suggested", JsonObject.of("time_field", "date"));
      }
      return json;
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
