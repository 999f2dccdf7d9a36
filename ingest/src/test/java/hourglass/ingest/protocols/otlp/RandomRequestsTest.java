package hourglass.ingest.protocols.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.bucketing.RowKey;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.http.IngestServer;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.Verdicts;
import hourglass.store.Columns;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Both encodings of a request make the events of a plain model; broken ones do no harm. */
class RandomRequestsTest {
  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/x-protobuf";

  private static final ConversionLimits LIMITS =
      new ConversionLimits(1 << 20, 1 << 23, 1 << 16, 64);

  private static IngestServer server;

  private final Random random = Seed.random(this);
  private final RandomRequests requests = new RandomRequests(random);
  private final Otlp otlp = new Otlp(Otlp.DEFAULTS, true);

  @BeforeAll
  static void start() {
    server = new IngestServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private Verdicts push(Signal signal, String contentType, byte[] bytes) {
    server.store.clear();
    Body body = Body.copyOf(bytes);
    InFlightBudget.Reservation memory = server.service.inFlight().reservation("test");
    try {
      ConvertedEvents events = new ConvertedEvents(memory, bytes.length, LIMITS);
      MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Content-Type", contentType);
      new ExportRequest(otlp, signal, ExportAnswer.ofType(contentType))
          .convert(body, headers, events);
      if (events.size() == 0) {
        return new Verdicts(0, 0, 0, List.of());
      }
      return server
          .service
          .ingest(events, body, otlp.rules().items(), "key", Client.open("test"))
          .toCompletableFuture()
          .join();
    } finally {
      memory.release();
    }
  }

  private static List<String> stored() {
    List<String> events = new ArrayList<>();
    for (Map.Entry<RowKey, Columns> row : server.store.rows().entrySet()) {
      for (int i = 0; i < row.getValue().size(); i++) {
        String payload = new String(row.getValue().payload(i), UTF_8);
        events.add(canonical(row.getKey().type(), new JsonObject(payload)));
      }
    }
    events.sort(null);
    return events;
  }

  /** Returns the event with its members in order and numbers in one form. */
  private static String canonical(String type, JsonObject payload) {
    return type + " " + new JsonObject(payload.encode()).encode();
  }

  @Test
  void bothEncodingsAgreeWithAModel() {
    for (int i = 0; i < Tier.length(100, 300, 30_000); i++) {
      RandomRequests.Sample sample = requests.next();
      List<String> wanted = new ArrayList<>();
      for (int event = 0; event < sample.payloads().size(); event++) {
        wanted.add(canonical(sample.types().get(event), sample.payloads().get(event)));
      }
      wanted.sort(null);
      assertThat(push(Signal.LOGS, PROTOBUF, sample.protobuf().toByteArray()).rejected()).isZero();
      assertThat(stored()).isEqualTo(wanted);
      assertThat(push(Signal.LOGS, JSON, sample.json().getBytes(UTF_8)).rejected()).isZero();
      assertThat(stored()).isEqualTo(wanted);
    }
  }

  @Test
  void aBrokenRequestIsRefusedOrMakesEvents() {
    for (int i = 0; i < Tier.length(600, 3_000, 1_000_000); i++) {
      RandomRequests.Sample sample = requests.next();
      Signal signal = Signal.values()[random.nextInt(3)];
      boolean isJson = random.nextBoolean();
      byte[] bytes = isJson ? sample.json().getBytes(UTF_8) : sample.protobuf().toByteArray();
      try {
        push(signal, isJson ? JSON : PROTOBUF, mutated(bytes));
        server.store.payloads().forEach(JsonObject::new);
      } catch (PushRefused refused) {
        assertThat(refused.status()).isEqualTo(400);
      }
    }
  }

  private byte[] mutated(byte[] bytes) {
    byte[] mutated = bytes.clone();
    for (int i = random.nextInt(4); i >= 0 && mutated.length > 0; i--) {
      int at = random.nextInt(mutated.length);
      switch (random.nextInt(4)) {
        case 0 -> mutated[at] = (byte) random.nextInt(256);
        case 1 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> mutated = Arrays.copyOf(mutated, at);
        default -> mutated[at] = bytes[random.nextInt(bytes.length)];
      }
    }
    return mutated;
  }
}
