package hourglass.load.client;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The interface of Hourglass in memory, with {@link Misbehaviour}s. One event loop does everything.
 */
public final class FakeTarget implements AutoCloseable {
  private static final int REJECTED_LINE = 2;
  private static final int LOOKS_HIDDEN = 3;

  record Entry(TimeUuid id, String type, String payload) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int order = id.compareTo(other.id);
      return order != 0 ? order : type.compareTo(other.type);
    }

    String line() {
      return line(Ticks.text(id.ticks()));
    }

    String line(String time) {
      return "{\"id\":\"%s\",\"time\":\"%s\",\"type\":%s,\"data\":%s}"
          .formatted(id, time, JsonArray.of(type).encode().replaceAll("^\\[|]$", ""), payload);
    }
  }

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpServer server;
  private final Set<Misbehaviour> misbehaviours;
  private final TreeMap<Entry, Entry> entries = new TreeMap<>();
  private final List<String> keysSeen = new ArrayList<>();
  private long serial;
  private int pushes;
  private int looks;
  private boolean misbehaved;

  public FakeTarget(Misbehaviour... misbehaviours) {
    this.misbehaviours = EnumSet.noneOf(Misbehaviour.class);
    this.misbehaviours.addAll(List.of(misbehaviours));
    this.server =
        vertx
            .createHttpServer()
            .requestHandler(this::handle)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.actualPort());
  }

  public int size() {
    return entries.size();
  }

  public List<String> keysSeen() {
    return keysSeen;
  }

  void behave() {
    misbehaviours.clear();
  }

  private boolean does(Misbehaviour misbehaviour) {
    return misbehaviours.contains(misbehaviour);
  }

  private boolean doesOnce(Misbehaviour misbehaviour) {
    boolean now = does(misbehaviour) && !misbehaved;
    misbehaved |= now;
    return now;
  }

  private void handle(HttpServerRequest request) {
    switch (request.path()) {
      case "/api/v1/events" -> {
        if (request.method() == HttpMethod.POST) {
          request.body().onSuccess(body -> push(request, body));
        } else {
          events(request);
        }
      }
      case "/api/v1/types" -> types(request);
      case "/api/v1/hits" -> {
        int total = selected(request).size();
        request
            .response()
            .end("{\"step_ms\":60000,\"series\":[{\"total\":1}],\"total\":" + total + "}");
      }
      case "/api/v1/stats", "/api/v1/top" ->
          request.response().end("{\"events\":" + selected(request).size() + "}");
      case "/metrics" -> request.response().end(metrics());
      default -> request.response().setStatusCode(404).end();
    }
  }

  private String metrics() {
    return """
        # TYPE process_cpu_seconds_total counter
        process_cpu_seconds_total %s
        process_resident_memory_bytes 1.0E8
        hourglass_store_disk_bytes{part="log"} %d
        hourglass_store_disk_bytes{part="pages"} 1000
        """
        .formatted(pushes * 0.5, entries.size() * 20L);
  }

  private void push(HttpServerRequest request, Buffer body) {
    pushes++;
    if (doesOnce(Misbehaviour.CUTS_BEFORE_STORING)) {
      request.connection().close();
    } else if (doesOnce(Misbehaviour.REFUSES_429)) {
      request.response().setStatusCode(429).putHeader("Retry-After", "0").end("busy");
    } else if (doesOnce(Misbehaviour.REFUSES_503)) {
      request.response().setStatusCode(503).putHeader("Retry-After", "0").end("away");
    } else if (does(Misbehaviour.ALWAYS_500)) {
      request.response().setStatusCode(500).end("broken");
    } else if (does(Misbehaviour.ALWAYS_401)) {
      request.response().setStatusCode(401).end("who are you");
    } else {
      JsonObject verdict = store(request, unpacked(request, body));
      if (doesOnce(Misbehaviour.CUTS_AFTER_STORING)) {
        request.connection().close();
      } else {
        int status = verdict.getInteger("accepted") == 0 ? 400 : 200;
        request.response().setStatusCode(status).end(verdict.toBuffer());
      }
    }
  }

  private static String unpacked(HttpServerRequest request, Buffer body) {
    byte[] bytes = body.getBytes();
    if (!"gzip".equals(request.getHeader("content-encoding"))) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonObject store(HttpServerRequest request, String body) {
    String key = request.getHeader("idempotency-key");
    if (key != null) {
      keysSeen.add(key);
    }
    List<String> lines = body.lines().filter(line -> !line.isBlank()).toList();
    JsonArray errors = new JsonArray();
    int rejected = 0;
    int untimed = 0;
    for (int i = 0; i < lines.size(); i++) {
      boolean third = does(Misbehaviour.REJECTS_THE_THIRD) && i == REJECTED_LINE;
      String reason = third ? "the third" : null;
      try {
        untimed += third || storeLine(request, key, i, lines.get(i).strip()) ? 0 : 1;
      } catch (RuntimeException e) {
        reason = String.valueOf(e.getMessage());
      }
      if (reason != null && ++rejected <= 100) {
        errors.add(new JsonObject().put("index", i).put("reason", reason));
      }
    }
    return new JsonObject()
        .put("accepted", lines.size() - rejected)
        .put("rejected", rejected)
        .put("errors", errors)
        .put("untimed", untimed);
  }

  private boolean storeLine(
      HttpServerRequest request, @Nullable String key, int position, String line) {
    JsonObject json = new JsonObject(line);
    Object fixed = request.getParam("type");
    Object type = fixed != null ? fixed : field(json, request.getParam("type_field", "type"));
    Object time = field(json, request.getParam("time_field", "time"));
    Object id = field(json, request.getParam("id_field", "id"));
    if (!(type instanceof String) || ((String) type).isEmpty()) {
      throw new IllegalArgumentException("type: missing");
    }
    long ticks = time == null ? Ticks.of(Instant.now()) : ticks(time);
    String identity = id != null ? "id " + id : key != null ? "key " + key + position : null;
    save(ticks, (String) type, identity, line);
    return time != null;
  }

  private void save(long ticks, String type, @Nullable String identity, String payload) {
    long fresh = TimeUuid.sortable(Long.MIN_VALUE >>> 1 | ++serial);
    boolean known = identity != null && !does(Misbehaviour.FORGETS_IDENTITY);
    long lsb =
        known
            ? UUID.nameUUIDFromBytes((type + identity).getBytes(StandardCharsets.UTF_8))
                .getLeastSignificantBits()
            : fresh;
    long at = doesOnce(Misbehaviour.SHIFTS_A_TIME) ? ticks + 1 : ticks;
    String as = doesOnce(Misbehaviour.CHANGES_A_TYPE) ? "other" : type;
    String text = doesOnce(Misbehaviour.ALTERS_A_BYTE) ? altered(payload) : payload;
    if (doesOnce(Misbehaviour.LOSES_AN_EVENT)) {
      return;
    }
    put(new Entry(new TimeUuid(at, lsb), as, text));
    if (doesOnce(Misbehaviour.DOUBLES_AN_EVENT)) {
      put(new Entry(new TimeUuid(at, TimeUuid.sortable(TimeUuid.sortable(lsb) + 1)), as, text));
    }
  }

  private static String altered(String payload) {
    return payload.replaceFirst("web-", "bew-").replaceFirst("\"run\"", "\"nur\"");
  }

  /** The larger bytes win. */
  private void put(Entry entry) {
    Entry before = entries.get(entry);
    if (before == null || before.payload.compareTo(entry.payload) < 0) {
      entries.remove(entry);
      entries.put(entry, entry);
    }
  }

  private static @Nullable Object field(JsonObject json, String name) {
    if (json.containsKey(name)) {
      return json.getValue(name);
    }
    int dot = name.indexOf('.');
    return dot > 0 && json.getValue(name.substring(0, dot)) instanceof JsonObject nested
        ? field(nested, name.substring(dot + 1))
        : null;
  }

  private static long ticks(Object time) {
    if (time instanceof Number number) {
      double seconds =
          number.doubleValue() > 1e11 ? number.doubleValue() / 1e3 : number.doubleValue();
      return Ticks.UNIX_EPOCH + Math.round(seconds * Ticks.PER_SECOND);
    }
    return Ticks.of(OffsetDateTime.parse(time.toString()).toInstant());
  }

  private List<Entry> selected(HttpServerRequest request) {
    String hour = request.getParam("hour");
    String from = hour != null ? hour + ":00:00Z" : request.getParam("from");
    String to = request.getParam("to");
    long fromTicks = from == null ? Long.MIN_VALUE : Ticks.of(Instant.parse(from));
    long toTicks =
        hour != null
            ? fromTicks + Ticks.PER_HOUR
            : to == null ? Long.MAX_VALUE : Ticks.of(Instant.parse(to));
    List<String> types = request.params().getAll("type");
    String where = request.getParam("where", "").replace("data.", "\"").replace(" == ", "\":");
    List<Entry> found = new ArrayList<>();
    for (Entry entry : entries.keySet()) {
      long ticks = entry.id().ticks();
      boolean wanted =
          (types.isEmpty() || types.contains(entry.type())) && entry.line().contains(where);
      if (ticks >= fromTicks && ticks < toTicks && wanted) {
        found.add(entry);
      }
    }
    if ("desc".equals(request.getParam("order"))) {
      java.util.Collections.reverse(found);
    }
    return found;
  }

  private void events(HttpServerRequest request) {
    List<Entry> found = selected(request);
    if (request.getParam("format").equals("json")) {
      page(request, found);
    } else {
      stream(request, found);
    }
  }

  private void page(HttpServerRequest request, List<Entry> found) {
    int from = Integer.parseInt(request.getParam("cursor", "0"));
    int limit = Integer.parseInt(request.getParam("limit"));
    int to = Math.min(found.size(), from + limit);
    int next = to + (does(Misbehaviour.PAGE_SKIPS) ? 1 : does(Misbehaviour.PAGE_REPEATS) ? -1 : 0);
    String events = String.join(",", found.subList(from, to).stream().map(Entry::line).toList());
    request
        .response()
        .end(
            "{\"events\":[%s],\"cursor\":%s,\"rows\":{\"asked\":1,\"answered\":1},\"complete\":%s}"
                .formatted(
                    events,
                    to < found.size() ? "\"" + next + "\"" : "null",
                    !does(Misbehaviour.PAGE_INCOMPLETE)));
  }

  private void stream(HttpServerRequest request, List<Entry> found) {
    String limit = request.getParam("limit");
    if (!limit.equals("all")) {
      boolean hides = does(Misbehaviour.SHOWS_LATE) && !found.isEmpty() && ++looks <= LOOKS_HIDDEN;
      int end = hides ? 0 : Math.min(found.size(), Integer.parseInt(limit));
      request.response().end(text(found.subList(0, end).stream().map(Entry::line).toList()));
    } else if (doesOnce(Misbehaviour.FAILS_THE_FIRST_STREAM)
        || does(Misbehaviour.FAILS_STREAMS_OF_THE_FIRST) && found.contains(entries.firstKey())) {
      request.response().setStatusCode(500).end("broken");
    } else {
      streamAll(request, found);
    }
  }

  private void streamAll(HttpServerRequest request, List<Entry> found) {
    List<String> lines = new ArrayList<>(found.stream().map(Entry::line).toList());
    int middle = lines.size() / 2;
    if (does(Misbehaviour.SWAPS_IN_STREAM)) {
      java.util.Collections.swap(lines, middle, middle + 1);
    }
    if (does(Misbehaviour.REPEATS_IN_STREAM)) {
      lines.add(middle, lines.get(middle));
    }
    if (does(Misbehaviour.SHOWS_ANOTHER_TIME)) {
      lines.set(middle, found.get(middle).line("2026-11-20T08:00:00.0000000Z"));
    }
    if (does(Misbehaviour.ENDS_STREAM_EARLY)) {
      lines.subList(middle, lines.size()).clear();
    }
    request.response().setChunked(true);
    if (does(Misbehaviour.CUTS_STREAM)) {
      request.response().write(String.join("\n", lines.subList(0, middle)) + "\n");
      request.response().write("{\"id\":").onComplete(written -> request.connection().close());
    } else {
      boolean leavesOut = doesOnce(Misbehaviour.FIRST_STREAM_INCOMPLETE);
      lines.subList(leavesOut ? lines.size() - 1 : lines.size(), lines.size()).clear();
      boolean complete = !does(Misbehaviour.STREAM_INCOMPLETE) && !leavesOut;
      request.response().putTrailer("Hourglass-Complete", String.valueOf(complete));
      request.response().end(text(lines));
    }
  }

  private static String text(List<String> lines) {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }

  private void types(HttpServerRequest request) {
    Map<String, Integer> counts = new TreeMap<>();
    selected(request).forEach(entry -> counts.merge(entry.type(), 1, Integer::sum));
    JsonArray types = new JsonArray();
    counts.forEach(
        (type, count) ->
            types.add(
                new JsonObject()
                    .put("type", type)
                    .put("count", count + (doesOnce(Misbehaviour.MISCOUNTS) ? 1 : 0))
                    .put("bytes", 1)));
    request.response().end(new JsonObject().put("types", types).toBuffer());
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
