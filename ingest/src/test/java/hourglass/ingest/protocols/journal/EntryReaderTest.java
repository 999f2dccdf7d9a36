package hourglass.ingest.protocols.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.Client;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.LimitedMemory;
import hourglass.ingest.decode.Memory;
import hourglass.ingest.http.IngestServer;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.Verdicts;
import hourglass.store.OverloadedException;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryReaderTest {
  private static final int JOURNALS = Tier.length(80, 300, 20_000);
  private static final int EVENT_BYTES = 1 << 14;
  private static final String ALPHABET = "az =\"\\\té€𝄞\u0001";
  private static final List<String> NAMES =
      List.of("MESSAGE", "PRIORITY", "_PID", "COREDUMP", "X", "SYSLOG_IDENTIFIER", "_COMM");

  private static IngestServer server;

  private static final ConversionLimits LIMITS =
      new ConversionLimits(1 << 20, 64 << 20, EVENT_BYTES, 64);

  private final Random random = Seed.random(this);
  private final FakeStore store = server.store;

  private final LimitedMemory memory = new LimitedMemory(Long.MAX_VALUE);

  @BeforeAll
  static void start() {
    server = new IngestServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    store.clear();
  }

  /** Reads pieces that end at random places, or one piece for a size of 0. */
  private Verdicts read(byte[] journal, int piecesMax) {
    EntryReader reader = new EntryReader(memory, EVENT_BYTES);
    ConvertedEvents events = new ConvertedEvents(memory, 0, LIMITS);
    for (int at = 0; at < journal.length; ) {
      int size = piecesMax == 0 ? journal.length : 1 + random.nextInt(piecesMax);
      int to = Math.min(journal.length, at + size);
      reader.read(Buffer.buffer(Arrays.copyOfRange(journal, at, to)), events);
      at = to;
    }
    reader.end(events);
    return store(events);
  }

  private static Verdicts store(ConvertedEvents events) {
    if (events.size() == 0) {
      return new Verdicts(0, 0, 0, List.of());
    }
    return server
        .service
        .ingest(server.service.receive(events, JournalUpload.DEFAULTS.items()), Client.open("test"))
        .toCompletableFuture()
        .join();
  }

  private List<JsonObject> stored() {
    return store.payloads().stream().map(JsonObject::new).sorted(BY_TEXT).toList();
  }

  private static final Comparator<JsonObject> BY_TEXT = Comparator.comparing(JsonObject::encode);

  private static List<JsonObject> sorted(List<JsonObject> payloads) {
    return payloads.stream().map(p -> new JsonObject(p.encode())).sorted(BY_TEXT).toList();
  }

  @Test
  void randomJournalsInRandomPiecesAgreeWithAModel() {
    for (int i = 0; i < JOURNALS; i++) {
      clear();
      JournalText journal = new JournalText();
      List<JsonObject> expected = new ArrayList<>();
      int entries = random.nextInt(8);
      for (int entry = 0; entry < entries; entry++) {
        expected.add(entry(journal, entry));
      }
      int pieces = List.of(0, 1, 3, 50, 5_000).get(random.nextInt(5));
      Verdicts verdicts = read(journal.bytes(), pieces);
      assertThat(verdicts.errors()).isEmpty();
      assertThat(stored()).isEqualTo(sorted(expected));
    }
  }

  /** Each call is repeated until it succeeds, sometimes with the next batch. */
  @Test
  void retriesAfterMemoryShortageStoreTheSameEntries() {
    int failures = 0;
    for (int i = 0; i < JOURNALS; i++) {
      clear();
      JournalText journal = new JournalText();
      List<JsonObject> expected = new ArrayList<>();
      int entries = 1 + random.nextInt(8);
      for (int entry = 0; entry < entries; entry++) {
        expected.add(entry(journal, entry));
      }
      byte[] all = journal.bytes();
      int cut = random.nextInt(all.length);
      ShortMemory memory = new ShortMemory();
      EntryReader reader = new EntryReader(memory, EVENT_BYTES);
      Batches batches = new Batches(memory);
      batches.repeat(events -> reader.read(Buffer.buffer(Arrays.copyOf(all, cut)), events));
      byte[] rest = Arrays.copyOfRange(all, cut, all.length);
      batches.repeat(events -> reader.read(Buffer.buffer(rest), events));
      batches.repeat(reader::end);
      batches.store();
      assertThat(stored()).isEqualTo(sorted(expected));
      assertThat(batches.stored).isEqualTo(entries);
      failures += batches.failures;
    }
    assertThat(failures).isGreaterThan(JOURNALS / 2);
  }

  /** Refuses every now and then. */
  private final class ShortMemory implements Memory {
    private boolean isShort;

    @Override
    public boolean add(long bytes) {
      return !isShort || random.nextInt(3) > 0;
    }

    @Override
    public void subtract(long bytes) {}

    @Override
    public RuntimeException tooMuch() {
      return new OverloadedException("short", Duration.ofSeconds(1));
    }

    @Override
    public RuntimeException tooLarge(String problem) {
      return new IllegalArgumentException(problem);
    }
  }

  private final class Batches {
    private final ShortMemory memory;
    private ConvertedEvents events;
    private long stored;
    private int failures;

    private Batches(ShortMemory memory) {
      this.memory = memory;
      this.events = new ConvertedEvents(memory, 0, LIMITS);
    }

    private void repeat(Consumer<ConvertedEvents> call) {
      for (boolean succeeded = false; !succeeded; ) {
        memory.isShort = true;
        try {
          call.accept(events);
          succeeded = true;
        } catch (OverloadedException e) {
          failures++;
          events.discard();
        }
        memory.isShort = false;
        if (random.nextInt(3) == 0) {
          store();
        }
      }
    }

    private void store() {
      Verdicts verdicts = EntryReaderTest.store(events);
      assertThat(verdicts.errors()).isEmpty();
      stored += verdicts.accepted();
      events = new ConvertedEvents(memory, 0, LIMITS);
    }
  }

  private JsonObject entry(JournalText journal, int number) {
    journal.text("__CURSOR", "s=1;i=" + number);
    for (int fields = random.nextInt(12); fields > 0; fields--) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      switch (random.nextInt(6)) {
        case 0 -> journal.binary(name, bytes(random.nextInt(40)));
        case 1 -> journal.binary(name, (text() + "\n" + text()).getBytes(UTF_8));
        case 2 -> journal.binary(name, new byte[0]);
        default -> journal.text(name, text());
      }
    }
    if (random.nextInt(3) == 0) {
      journal.lost(
          "LARGE", "l".repeat(EVENT_BYTES / 2 + 1 + random.nextInt(50_000)).getBytes(UTF_8));
    }
    return journal.text("LAST", text()).end();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private String text() {
    int[] points = ALPHABET.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  @Test
  void typeTimeAndIdComeFromTheEntry() {
    JournalText journal = new JournalText();
    for (int i = 0; i < 2; i++) {
      journal.entry(1, "sshd", "hello");
    }
    journal.text("__REALTIME_TIMESTAMP", "1795435070000001").text("_COMM", "cron").end();
    journal.text("__REALTIME_TIMESTAMP", "1795435070000001").text("MESSAGE", "x").end();
    Verdicts verdicts = read(journal.bytes(), 7);
    assertThat(verdicts.accepted()).isEqualTo(4);
    assertThat(verdicts.untimed()).isZero();
    assertThat(store.rows().keySet().stream().map(Object::toString))
        .containsExactlyInAnyOrder("23112611|sshd|0", "23112611|cron|0", "23112611|journal|0");
    assertThat(store.payloads()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "12345678901234567", "-1", "1.5"})
  void anInvalidTimeBecomesTheTimeOfReceipt(String time) {
    JournalText journal = new JournalText();
    journal.text("__REALTIME_TIMESTAMP", time).text("MESSAGE", "x").end();
    assertThat(read(journal.bytes(), 0).untimed()).isEqualTo(1);
  }

  @Test
  void anInvalidTypeIsSkippedForTheNextField() {
    JournalText journal = new JournalText();
    journal.text("SYSLOG_IDENTIFIER", "x".repeat(257)).text("_COMM", "bash").end();
    journal.binary("SYSLOG_IDENTIFIER", new byte[] {-1}).text("_COMM", "zsh").end();
    journal.text("SYSLOG_IDENTIFIER", "").text("MESSAGE", "x").end();
    assertThat(read(journal.bytes(), 0).accepted()).isEqualTo(3);
    assertThat(store.rows().keySet().stream().map(row -> row.type()))
        .containsExactlyInAnyOrder("bash", "zsh", "journal");
  }

  @Test
  void tooLargeValuesBecomeNullAndOthersAreKept() {
    JournalText journal = new JournalText();
    journal.text("A", "1").text("B", "x".repeat(EVENT_BYTES)).text("C", "3").end();
    journal.text("D", "4").end();
    for (int pieces : new int[] {0, 1, 1000}) {
      clear();
      read(journal.bytes(), pieces);
      assertThat(store.payloads())
          .containsExactlyInAnyOrder("{\"A\":\"1\",\"B\":null,\"C\":\"3\"}", "{\"D\":\"4\"}");
    }
    assertThat(memory.held()).isLessThan(1 << 20);
  }

  @Test
  void theLastValuesOfATooLargeEntryBecomeNull() {
    JournalText journal = new JournalText();
    for (int i = 0; i < 5; i++) {
      journal.text("F" + i, "x".repeat(EVENT_BYTES / 3));
    }
    journal.text("LAST", "kept").end();
    assertThat(read(journal.bytes(), 0).accepted()).isEqualTo(1);
    JsonObject payload = stored().get(0);
    assertThat(payload.getString("F0")).hasSize(EVENT_BYTES / 3);
    assertThat(payload.getValue("F4")).isNull();
    assertThat(payload.getString("LAST")).isEqualTo("kept");
  }

  @Test
  void onlyAnEntryWithTooManyFieldsIsRefused() {
    JournalText journal = new JournalText();
    for (int i = 0; i < 3 * Entry.FIELDS_MAX; i++) {
      journal.text("F" + i, "x");
    }
    journal.end();
    journal.text("MESSAGE", "behind").end();
    for (int pieces : new int[] {0, 1, 1000}) {
      clear();
      Verdicts verdicts = read(journal.bytes(), pieces);
      assertThat(verdicts.errors())
          .containsExactly(new Verdicts.ItemError(0, "entry: more than 1024 fields"));
      assertThat(store.payloads()).containsExactly("{\"MESSAGE\":\"behind\"}");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'A=1\n', 1, 0",
    "'A=1\n\nB=2', 1, 1",
    "'A=1\n\nB', 1, 1",
    "'\n\n\n', 0, 0",
    "'', 0, 0"
  })
  void aTruncatedJournalKeepsItsCompleteEntries(String text, int accepted, int rejected) {
    Verdicts verdicts = read(text.getBytes(UTF_8), 0);
    assertThat(verdicts.accepted()).isEqualTo(accepted);
    assertThat(verdicts.rejected()).isEqualTo(rejected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello\nthis is no journal at all",
        "A\n\u0001\0\0\0\0\0\0\0xx\n",
        "A\n\0\0\0\0\0\0\0\u007f",
      })
  void bodiesThatAreNoJournalAreRefused(String text) {
    for (int pieces : new int[] {0, 1}) {
      assertThatThrownBy(() -> read(text.getBytes(UTF_8), pieces))
          .isInstanceOf(PushRefused.class)
          .hasMessageContaining("entry: ");
    }
  }

  @Test
  void aLineWithoutANameIsRefused() {
    byte[] line = "x".repeat(EntryReader.NAME_BYTES_MAX + 1).getBytes(UTF_8);
    for (int pieces : new int[] {0, 1}) {
      assertThatThrownBy(() -> read(line, pieces)).isInstanceOf(PushRefused.class);
    }
  }
}
