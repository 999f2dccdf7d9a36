package hourglass.ingest.protocols.journal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.access.Limits;
import hourglass.access.Quotas;
import hourglass.ingest.http.IngestServer;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long requests on a real connection. */
class JournalUploadTest {
  private static final String HEAD =
      "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: application/vnd.fdo.journal\r\n"
          + "Transfer-Encoding: chunked\r\n";

  private static final String END = "0\r\n\r\n";

  private static IngestServer server;

  private Socket socket;
  private BufferedReader answers;

  /** It tries a failed write again after 2 ms, and checks bodies of other requests each 10 ms. */
  @BeforeAll
  static void start() {
    server = new IngestServer(10, new JournalUpload(JournalUpload.DEFAULTS));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() throws IOException {
    server.limit(new Quotas(Limits.NONE, System::nanoTime, limit -> {}));
    server.store.clear();
    server.store.answer(CompletableFuture.completedFuture(null));
    server.store.refuse(payloads -> null);
    socket = server.socket();
    answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
  }

  @AfterEach
  void nothingIsInFlight() throws IOException {
    socket.close();
    await().until(() -> server.service.inFlight().used() == 0);
  }

  private void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  private void write(String text) throws IOException {
    write(text.getBytes(ISO_8859_1));
  }

  private void chunk(byte[] bytes) throws IOException {
    write(Integer.toHexString(bytes.length) + "\r\n");
    write(bytes);
    write("\r\n");
  }

  private void chunk(String text) throws IOException {
    chunk(text.getBytes(UTF_8));
  }

  private String answer() throws IOException {
    StringBuilder text = new StringBuilder();
    int length = 0;
    for (String line = answers.readLine();
        line != null && !line.isEmpty();
        line = answers.readLine()) {
      text.append(line).append('\n');
      if (line.toLowerCase().startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).trim());
      }
    }
    char[] body = new char[length];
    for (int at = 0; at < length; ) {
      at += answers.read(body, at, length - at);
    }
    return text.append(body).toString();
  }

  private static byte[] entries(int from, int to) {
    JournalText journal = new JournalText();
    for (int i = from; i < to; i++) {
      journal.entry(i, "sshd", "message " + i);
    }
    return journal.bytes();
  }

  private static void awaitStored(int events) {
    await().until(() -> server.store.payloads().size() == events);
  }

  @Test
  void entriesAreStoredDuringTheRequest() throws IOException {
    write(HEAD + "Expect: 100-continue\r\n\r\n");
    assertThat(answer()).startsWith("HTTP/1.1 100 ");
    chunk(entries(0, 1));
    awaitStored(1);
    byte[] more = entries(1, 3);
    chunk(Arrays.copyOf(more, more.length - 1));
    awaitStored(2);
    chunk("\n");
    awaitStored(3);
    write(END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ").endsWith("OK.\n");
  }

  /** The sender pauses inside an entry for many of the intervals in which a body must progress. */
  @Test
  void aQuietSenderIsNotTooSlow() throws IOException {
    write(HEAD + "\r\n");
    chunk("MESSAGE=half");
    int writes = server.store.writes();
    try (Socket other = server.socket()) {
      String slow = HEAD.replace("/upload", "/api/v1/events").replace("vnd.fdo.journal", "json");
      other.getOutputStream().write((slow + "\r\n1\r\n{\r\n").getBytes(ISO_8859_1));
      assertThat(new String(other.getInputStream().readNBytes(12), ISO_8859_1))
          .isEqualTo("HTTP/1.1 408");
    }
    assertThat(server.store.writes()).isEqualTo(writes);
    chunk(" and half\n\n");
    write(END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
    assertThat(server.store.payloads()).containsExactly("{\"MESSAGE\":\"half and half\"}");
  }

  @Test
  void aStreamMayExceedTheLimitOfABody() throws IOException {
    int entries = 3 * IngestServer.MAX_BODY_BYTES / 100;
    write(HEAD + "\r\n");
    for (int i = 0; i < entries; i += 1000) {
      chunk(entries(i, Math.min(entries, i + 1000)));
    }
    write(END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
    assertThat(server.store.payloads()).hasSize(entries);
  }

  @Test
  void aStreamWaitsForAStoreThatRefuses() throws IOException {
    List<RuntimeException> failures =
        List.of(
            new UnavailableException("away"),
            new OverloadedException("full", Duration.ofSeconds(1)));
    write(HEAD + "\r\n");
    int stored = 0;
    for (RuntimeException failure : failures) {
      AtomicInteger tries = new AtomicInteger();
      server.store.refuse(payloads -> tries.incrementAndGet() <= 4 ? failure : null);
      chunk(entries(stored, stored + 100));
      chunk(entries(stored + 100, stored + 200));
      stored += 200;
      awaitStored(stored);
    }
    write(END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
    assertThat(server.store.payloads()).hasSize(stored);
  }

  @Test
  void aStoreThatStaysAwayEndsTheStream() throws IOException {
    server.store.answer(CompletableFuture.failedFuture(new UnavailableException("away")));
    write(HEAD + "\r\n");
    chunk(entries(0, 10));
    assertThat(answer())
        .startsWith("HTTP/1.1 503 ")
        .contains("connection: close")
        .endsWith("away\n");
    assertThat(answers.read()).as("closed").isEqualTo(-1);
    server.store.answer(CompletableFuture.completedFuture(null));
    connect();
    write(HEAD + "\r\n");
    chunk(entries(0, 20));
    write(END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
    assertThat(server.store.payloads()).hasSize(20);
  }

  /** The server reads at most a batch ahead of an unfinished write. */
  @Test
  void readingPausesWhileAWriteLasts() throws Exception {
    CompletableFuture<Void> written = new CompletableFuture<>();
    server.store.answer(written);
    write(HEAD + "\r\n");
    int entries = 150_000;
    CompletableFuture<Void> sender =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < entries; i += 1000) {
                  chunk(entries(i, i + 1000));
                }
                write(END);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    await().until(() -> server.service.inFlight().used() > 256 << 10);
    await().during(Duration.ofMillis(100)).until(() -> !sender.isDone());
    assertThat(server.service.inFlight().used()).isLessThan(4 << 20);
    written.complete(null);
    sender.get();
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
    assertThat(server.store.payloads()).hasSize(entries);
  }

  @ParameterizedTest
  @CsvSource({"100, 0", "0, 10000"})
  void quotasSlowAStreamDown(int events, int bytes) throws IOException {
    AtomicLong nanos = new AtomicLong();
    AtomicInteger refused = new AtomicInteger();
    Limits limits = new Limits(events, bytes, 0, 0, 0, 0);
    server.limit(new Quotas(limits, nanos::get, limit -> refused.incrementAndGet()));
    write(HEAD + "\r\n");
    for (int i = 0; i < 5; i++) {
      chunk(entries(100 * i, 100 * i + 100));
      int stored = 100 * i + 100;
      await()
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                nanos.addAndGet(refused.getAndSet(0) > 0 ? 100_000_000 : 0);
                return server.store.payloads().size() == stored;
              });
    }
    assertThat(nanos.get()).isGreaterThan(3_000_000_000L);
    write(END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void aRepeatedUploadIsStoredOnce() throws IOException {
    for (int i = 0; i < 2; i++) {
      write(HEAD + "\r\n");
      chunk(entries(0, 500));
      write(END);
      assertThat(answer()).startsWith("HTTP/1.1 200 ");
    }
    assertThat(server.store.payloads()).hasSize(500);
  }

  @Test
  void aLostConnectionReleasesEverything() throws IOException {
    write(HEAD + "\r\n");
    chunk(entries(0, 1));
    awaitStored(1);
    chunk("MESSAGE=half");
    await().until(() -> server.service.inFlight().used() > 0);
    socket.close();
    await().until(() -> server.service.inFlight().used() == 0);
    assertThat(server.store.payloads()).hasSize(1);
  }

  @Test
  void aBrokenEntryEndsTheStreamAfterStoringTheOthers() throws IOException {
    write(HEAD + "\r\n");
    chunk(entries(0, 10));
    chunk("this is\nno journal at all\n");
    assertThat(answer()).startsWith("HTTP/1.1 400 ").contains("entry: a value of ");
    assertThat(server.store.payloads()).hasSize(10);
  }

  @Test
  void anEmptyJournalIsAccepted() throws IOException {
    write(HEAD + "\r\n" + END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void anEntryThatEndsEarlyIsCounted() throws IOException {
    write(HEAD + "\r\n");
    chunk(entries(0, 1));
    chunk("MESSAGE=half");
    write(END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
    assertThat(server.store.payloads()).hasSize(1);
    assertThat(server.service.rejects())
        .anyMatch(some -> some.samples().get(0).problem().equals("entry: it ends too early"));
  }

  @Test
  void identityCannotBeChosen() throws IOException {
    for (String identity : List.of("body", "content")) {
      write(HEAD.replace("/upload", "/upload?identity=" + identity) + "\r\n" + END);
      assertThat(answer())
          .startsWith("HTTP/1.1 400 ")
          .endsWith("identity: \"" + identity + "\", want none here\n");
      connect();
      write(HEAD + "Hourglass-Identity: " + identity + "\r\n\r\n" + END);
      assertThat(answer()).startsWith("HTTP/1.1 400 ");
      connect();
    }
    write(HEAD.replace("/upload", "/upload?identity=none") + "\r\n" + END);
    assertThat(answer()).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void otherContentTypesAndEncodingsAreRefused() throws IOException {
    write(HEAD.replace("vnd.fdo.journal", "json") + "\r\n" + END);
    assertThat(answer()).startsWith("HTTP/1.1 415 ").contains("want application/vnd.fdo.journal");
    connect();
    write(HEAD + "Content-Encoding: gzip\r\n\r\n" + END);
    assertThat(answer()).startsWith("HTTP/1.1 415 ").contains("want none here");
  }
}
