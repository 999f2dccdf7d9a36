package hourglass.query.tail;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.TypePatterns;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Chunk;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.scan.StoreAccess;
import hourglass.query.service.Answer;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No position names a type that its client may not see, and each resumes without a loss. */
class HiddenTypesTest {
  private static final TypePatterns VISIBLE = TypePatterns.of(List.of("audit", "shop.*"));
  private static final String HIDDEN = "secret.plan";
  private static final int STEP_EVENTS = 10;
  private static final int STEP_BYTES = 6_000;

  private record Message(String id, String kind, String data) {
    static Message of(String text) {
      return new Message(field(text, "id"), field(text, "event"), field(text, "data"));
    }

    private static String field(String text, String name) {
      return text.lines()
          .filter(line -> line.startsWith(name + ": "))
          .map(line -> line.substring(name.length() + 2))
          .findFirst()
          .orElse("");
    }
  }

  private final TestClock clock = new TestClock();
  private final OracleStore store = new OracleStore(clock, Duration.ofSeconds(2));
  private final ExecutorService executor = Executors.newFixedThreadPool(2);
  private final TailOptions options =
      new TailOptions(1, 1, STEP_EVENTS, STEP_BYTES, 4, 600_000, 500, 16 << 10);
  private final TailReader reader =
      new TailReader(
          StoreAccess.of(store, QueryOptions.builder().build(), Answer.THREADS), options);

  @AfterEach
  void close() {
    executor.shutdownNow();
    store.close();
  }

  /** A full step in order that ends on a hidden type has a late step before it and one after it. */
  @Test
  void positionsOfLateEventsNameNoHiddenType() {
    TailPosition begin = reader.now().toCompletableFuture().join();
    long next = Ticks.of(clock.instant().plusSeconds(1));
    for (int i = 0; i < 2 * STEP_EVENTS; i++) {
      TimeUuid name = TimeUuid.first(next + i / 2 * Ticks.PER_MILLI);
      write(i % 2 == 0 ? "audit" : HIDDEN, List.of(name), 1);
    }
    clock.pass(Duration.ofMinutes(1));
    TimeUuid past = TimeUuid.first(Ticks.of(clock.instant().minusSeconds(600)));
    TimeUuid second = past.successor();
    write("shop.cart", List.of(past, second, second.successor()), STEP_BYTES * 2 / 3);
    clock.pass(Duration.ofMinutes(1));
    List<Message> whole = messages(begin, STEP_EVENTS + 3);
    List<String> kinds = whole.stream().map(Message::kind).toList();
    assertThat(kinds.subList(0, 2)).containsExactly("late", "late");
    assertThat(kinds.indexOf("")).isEqualTo(2);
    assertThat(kinds.lastIndexOf("late")).isEqualTo(2 + STEP_EVENTS / 2);
    for (int i = 0; i < whole.size(); i++) {
      TailPosition position = TailPosition.parse(whole.get(i).id());
      assertThat(position.type()).isNotEqualTo(HIDDEN);
      Set<String> all = datas(whole.subList(0, i + 1));
      List<Message> rest = messages(position, whole.size() - i - 1);
      all.addAll(datas(rest));
      assertThat(all).as("from %s on", i).isEqualTo(datas(whole));
    }
  }

  private static Set<String> datas(List<Message> messages) {
    return messages.stream().map(Message::data).collect(toCollection(HashSet::new));
  }

  /** A service of its own reads the same steps, however far other tails are. */
  private List<Message> messages(TailPosition after, int count) {
    TailService service = new TailService(reader, options, executor);
    List<Message> messages = new ArrayList<>();
    try (Tail tail =
        service
            .begin(new TailQuery(Selection.ALL, null, after), VISIBLE)
            .toCompletableFuture()
            .join()) {
      Chunk chunk = new Chunk(options.chunkBytes());
      while (messages.size() < count) {
        Progress progress = tail.fill(chunk);
        String text = new String(chunk.bytes(), 0, chunk.length(), StandardCharsets.UTF_8);
        for (String message : text.split("\n\n")) {
          if (!message.isEmpty()) {
            messages.add(Message.of(message));
          }
        }
        chunk.clear();
        if (progress == Progress.WAITING) {
          CompletableFuture<Void> ready = new CompletableFuture<>();
          tail.whenReady(() -> ready.complete(null));
          ready.join();
        }
      }
    }
    return messages;
  }

  private void write(String type, List<TimeUuid> names, int bytes) {
    byte[] payload = ("{\"n\":\"" + "x".repeat(bytes) + "\"}").getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder columns = new ColumnsBuilder(names.size(), names.size() * payload.length);
    names.forEach(name -> columns.add(name.ticks(), name.lsb(), payload, 0, payload.length));
    RowKey row = new RowKey(names.get(0).hour(), type, 0);
    store.write(List.of(new Mutation(row, columns.build()))).toCompletableFuture().join();
  }
}
