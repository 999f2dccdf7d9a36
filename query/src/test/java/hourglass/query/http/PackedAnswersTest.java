package hourglass.query.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import hourglass.query.QueryOptions;
import hourglass.store.UnavailableException;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackedAnswersTest {
  private static final int COLUMNS = 5_000;
  private static final String EVENTS = "/api/v1/events?limit=all&format=";

  private final LatentStore store = new LatentStore(new OracleStore());
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH.plusSeconds(1));
  private final InstantSource source = now::get;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private final QueryServer server =
      new QueryServer(
          store, QueryOptions.builder().chunkBytes(4096).chunks(4).sliceColumns(64).build(), clock);

  @BeforeEach
  void fill() {
    Fill.row(store, "many", COLUMNS, "some text");
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private RawAnswer ask(String path, String coding) {
    return RawAnswer.ask(server.port(), path, "Accept-Encoding", coding);
  }

  private static InputStream unpacking(String coding, InputStream in) throws IOException {
    return coding.equals("gzip") ? new GZIPInputStream(in, 1) : new ZstdInputStream(in);
  }

  private static byte[] unpacked(RawAnswer answer, String coding) {
    assertThat(answer.headers()).containsEntry("content-encoding", coding);
    try (InputStream in = unpacking(coding, new ByteArrayInputStream(answer.body()))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, ndjson", "gzip, json", "gzip, csv", "gzip, raw", "gzip, cloudevents",
    "zstd, ndjson", "zstd, json", "zstd, csv", "zstd, raw", "zstd, cloudevents",
  })
  void aCompressedStreamUnpacksToThePlainOne(String coding, String format) {
    RawAnswer plain = ask(EVENTS + format, "identity");
    assertThat(plain.headers()).doesNotContainKey("content-encoding");
    RawAnswer packed = ask(EVENTS + format, coding);
    assertThat(unpacked(packed, coding)).isEqualTo(plain.body());
    assertThat(packed.body().length).isLessThan(plain.body().length / 3);
    assertThat(packed.isWhole()).isTrue();
    assertThat(packed.trailers())
        .isEqualTo(plain.trailers())
        .containsEntry("hourglass-complete", "true")
        .containsEntry("hourglass-rows-asked", "1");
    for (RawAnswer answer : new RawAnswer[] {plain, packed}) {
      assertThat(answer.headers()).containsEntry("vary", "Accept, Accept-Encoding");
    }
  }

  @ParameterizedTest
  @CsvSource({"gzip, 40", "zstd, 40", "gzip, 90", "zstd, 90", "gzip, 3000", "zstd, 3000"})
  void aCompressedPageUnpacksToThePlainOne(String coding, int limit) {
    String path = "/api/v1/events?format=ndjson&limit=" + limit;
    RawAnswer plain = ask(path, "identity");
    RawAnswer packed = ask(path, coding);
    assertThat(unpacked(packed, coding)).isEqualTo(plain.body());
    assertThat(packed.isWhole()).isTrue();
    boolean streamed = plain.headers().containsKey("transfer-encoding");
    assertThat(streamed).isEqualTo(limit == 3000);
    assertThat(streamed ? packed.trailers() : packed.headers())
        .containsEntry("hourglass-complete", "true")
        .containsKey("link");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void aSmallAnswerIsNotCompressed(String coding) {
    for (String path :
        new String[] {"/api/v1/events?limit=3", "/api/v1/types", "/api/v1/plan", "/api/v1/rows"}) {
      RawAnswer answer = ask(path, coding);
      assertThat(answer.headers()).as(path).doesNotContainKey("content-encoding");
      assertThat(answer.headers().get("vary")).as(path).contains("Accept-Encoding");
      assertThat(new String(answer.body(), UTF_8)).startsWith("{");
    }
    RawAnswer refused = ask("/api/v1/events?limit=x", coding);
    assertThat(refused.status()).contains(" 400 ");
    assertThat(refused.headers()).doesNotContainKey("content-encoding");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void aLargeAnswerOfCountsIsCompressed(String coding) {
    String path = "/api/v1/hits?hour=2026-11-20T08&step=1s";
    byte[] plain = ask(path, "identity").body();
    assertThat(plain.length).isGreaterThan(BodyCoding.BYTES_MIN);
    RawAnswer packed = ask(path, coding);
    assertThat(unpacked(packed, coding)).isEqualTo(plain);
    assertThat(packed.headers()).containsEntry("vary", "Accept-Encoding");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void matchesAreReadableBeforeACompressedStreamEnds(String coding) throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    store.setFault(
        query -> {
          now.updateAndGet(instant -> instant.plusSeconds(1));
          if (store.slices() > 60) {
            awaitOpen(seen);
          }
          return null;
        });
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(Patience.LONGEST_MILLIS);
      // With a regular expression, the store leaves no event out.
      String where = "&where=data.n%3D%3D5+%7C%7C+type.matches(%22none%22)";
      RawAnswer.send(socket, EVENTS + "raw" + where, "Accept-Encoding", coding);
      InputStream in = socket.getInputStream();
      String line = RawAnswer.line(in);
      while (!line.isEmpty()) {
        line = RawAnswer.line(in);
      }
      byte[] chunk = in.readNBytes(Integer.parseInt(RawAnswer.line(in), 16));
      byte[] found = new byte["{\"n\":5,".length()];
      try (InputStream body = unpacking(coding, new ByteArrayInputStream(chunk))) {
        assertThat(body.readNBytes(found, 0, found.length)).isEqualTo(found.length);
      }
      assertThat(new String(found, StandardCharsets.UTF_8)).isEqualTo("{\"n\":5,");
      assertThat(seen.getCount()).as("the end had not been reached").isEqualTo(1);
      seen.countDown();
      in.readAllBytes();
    }
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      assertThat(latch.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void aBrokenStreamIsABrokenBody(String coding) {
    int slices = store.slices();
    store.setFault(
        query -> {
          if (store.slices() > slices + 40) {
            throw new UnavailableException("the disk is gone");
          }
          return null;
        });
    RawAnswer broken = ask(EVENTS + "ndjson", coding);
    assertThat(broken.status()).contains(" 200 ");
    assertThat(broken.isWhole()).isFalse();
    assertThat(broken.body()).isNotEmpty();
    assertThatThrownBy(() -> unpacked(broken, coding)).isInstanceOf(UncheckedIOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void anImmediateErrorIsNotCompressed(String coding) {
    store.setFault(
        query -> {
          throw new UnavailableException("the disk is gone");
        });
    RawAnswer refused = ask(EVENTS + "ndjson", coding);
    assertThat(refused.status()).contains(" 503 ");
    assertThat(refused.headers())
        .doesNotContainKeys("content-encoding", "trailer", "content-disposition");
    assertThat(new String(refused.body(), UTF_8)).isEqualTo("the disk is gone");
  }
}
