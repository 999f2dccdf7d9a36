package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Reads all numbered events back from a server and holds the answer to what does not depend on what
 * was sent: order, names, payloads to the byte, and that every way to count gives what came.
 */
final class StoredEvents {
  private static final int MINUTE_MILLIS = 60_000;
  private static final int MINUTES = (int) NumberedEvents.RANGE.toMinutes();

  private final NumberedEvents events;
  private final BitSet numbers = new BitSet();
  private final Map<String, long[]> minutes = new TreeMap<>();
  private final Map<String, Long> bytes = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private UUID last = new UUID(0x1000L, Long.MIN_VALUE);

  private StoredEvents(NumberedEvents events) {
    this.events = events;
  }

  /**
   * The numbers of the events that a server has, after every check on its answers. No events may
   * come meanwhile.
   *
   * @throws IOException if an answer is not whole, and says so
   */
  static BitSet read(ServerProcess server, NumberedEvents events)
      throws IOException, InterruptedException {
    StoredEvents stored = new StoredEvents(events);
    stored.readAll(server);
    stored.compareHits(server);
    stored.compareTypes(server);
    return stored.numbers;
  }

  /** The same, while events come: they cannot be counted. */
  static BitSet readNow(ServerProcess server, NumberedEvents events)
      throws IOException, InterruptedException {
    StoredEvents stored = new StoredEvents(events);
    stored.readAll(server);
    return stored.numbers;
  }

  /** How many there are by the counts of a server. */
  static long count(ServerProcess server, NumberedEvents events)
      throws IOException, InterruptedException {
    return whole(server, "/api/v1/hits?step=1m&" + events.range()).getLong("total");
  }

  private void readAll(ServerProcess server) throws IOException, InterruptedException {
    String path = "/api/v1/events?format=ndjson&limit=all&" + events.range();
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpResponse<Stream<String>> answer =
        client.send(
            HttpRequest.newBuilder(server.uri(path)).build(), HttpResponse.BodyHandlers.ofLines());
    try (Stream<String> lines = answer.body()) {
      if (answer.statusCode() != 200) {
        throw refusal(answer.statusCode(), lines.toList().toString());
      }
      lines.forEach(this::take);
    } catch (UncheckedIOException e) {
      throw new IOException(e);
    }
    assertThat(faults).isEmpty();
  }

  private static IOException refusal(int status, String body) {
    assertThat(status).as(body).isIn(429, 503);
    return new IOException(body);
  }

  private static JsonObject whole(ServerProcess server, String path)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = server.get(path);
    if (answer.statusCode() != 200) {
      throw refusal(answer.statusCode(), answer.body());
    }
    JsonObject body = new JsonObject(answer.body());
    assertThat(body.getBoolean("complete")).as(answer.body()).isTrue();
    return body;
  }

  private void take(String line) {
    UUID id = UUID.fromString(line.substring(7, 43));
    String time = line.substring(53, line.indexOf('"', 53));
    int typeAt = line.indexOf("\"type\":\"") + 8;
    String type = line.substring(typeAt, line.indexOf('"', typeAt));
    String payload = line.substring(line.indexOf("\"data\":") + 7, line.length() - 1);
    int number = NumberedEvents.number(payload);
    expect(payload.equals(events.payload(number)), "another payload", line);
    expect(type.equals(events.type(number)), "another type", line);
    expect(Instant.parse(time).toEpochMilli() == events.timeMillis(number), "another time", line);
    expect(!numbers.get(number), "twice", line);
    expect(compare(last, id) < 0, "out of order after " + last, line);
    last = id;
    numbers.set(number);
    count(type, events.timeMillis(number), payload.length());
  }

  private void count(String type, long timeMillis, int payloadBytes) {
    int minute = (int) ((timeMillis - events.from().toEpochMilli()) / MINUTE_MILLIS);
    minutes.computeIfAbsent(type, t -> new long[MINUTES])[minute]++;
    bytes.merge(type, (long) payloadBytes, Long::sum);
  }

  private void expect(boolean holds, String fault, String line) {
    if (!holds && faults.size() < 20) {
      faults.add(fault + ": " + line);
    }
  }

  /** Cassandra's order of time UUIDs: the time, then the other bytes as signed ones. */
  private static int compare(UUID a, UUID b) {
    if (a.timestamp() != b.timestamp()) {
      return Long.compare(a.timestamp(), b.timestamp());
    }
    for (int shift = 56; shift >= 0; shift -= 8) {
      int order =
          Byte.compare(
              (byte) (a.getLeastSignificantBits() >>> shift),
              (byte) (b.getLeastSignificantBits() >>> shift));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private void compareHits(ServerProcess server) throws IOException, InterruptedException {
    JsonObject hits = whole(server, "/api/v1/hits?step=1m&by=type&" + events.range());
    Map<String, List<Long>> counted = new TreeMap<>();
    for (Object item : hits.getJsonArray("series")) {
      JsonObject series = (JsonObject) item;
      counted.put(series.getString("type"), longs(series.getJsonArray("counts")));
    }
    Map<String, List<Long>> read = new TreeMap<>();
    minutes.forEach((type, counts) -> read.put(type, Arrays.stream(counts).boxed().toList()));
    assertThat(counted).as("hits").isEqualTo(read);
    assertThat(hits.getLong("total")).as("total of hits").isEqualTo(numbers.cardinality());
  }

  private void compareTypes(ServerProcess server) throws IOException, InterruptedException {
    JsonObject answer = whole(server, "/api/v1/types?" + events.range());
    Map<String, List<Long>> counted = new TreeMap<>();
    for (Object item : answer.getJsonArray("types")) {
      JsonObject type = (JsonObject) item;
      counted.put(type.getString("type"), List.of(type.getLong("count"), type.getLong("bytes")));
    }
    Map<String, List<Long>> read = new TreeMap<>();
    minutes.forEach(
        (type, counts) -> read.put(type, List.of(Arrays.stream(counts).sum(), bytes.get(type))));
    assertThat(counted).as("types").isEqualTo(read);
  }

  private static List<Long> longs(JsonArray numbers) {
    return numbers.stream().map(number -> ((Number) number).longValue()).toList();
  }
}
