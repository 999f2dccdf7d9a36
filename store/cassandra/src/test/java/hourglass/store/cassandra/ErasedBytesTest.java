package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.store.testkit.TestClock;
import hourglass.testing.Tier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a node have no byte of an erased event once they are cleaned as the manual says. */
@Tag(Tier.IN_FULL)
class ErasedBytesTest {
  private static final String KEYSPACE = "hourglass";
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final String MARKER = "somebody@example.org";
  private static final String KEPT = "else@example.org";

  @TempDir private static Path folder;
  private static CassandraCluster cluster;

  private final TestClock clock = new TestClock(HOUR.start().plusSeconds(1_800));

  @BeforeAll
  static void start() throws InterruptedException {
    cluster =
        CassandraCluster.start(CassandraCluster.options(folder).setting("auto_snapshot", "false"));
  }

  @AfterAll
  static void stop() {
    cluster.node(1).kill();
    cluster.close();
  }

  @Test
  void noFileOfTheTablesHasAnErasedEvent() throws InterruptedException {
    CassandraOptions options =
        CassandraOptions.builder()
            .contactPoints(
                List.of(
                    cluster.node(1).address().getHostString()
                        + ":"
                        + cluster.node(1).address().getPort()))
            .keyspace(KEYSPACE)
            .sealEvery(Duration.ofDays(1))
            .eraseAfter(Duration.ofSeconds(1))
            .build();
    try (CassandraStore store =
            OneNode.connected(CassandraStore.open(options, clock, new SimpleMeterRegistry()));
        CqlSession session =
            SessionFactory.builder(options, new SimpleMeterRegistry().counter("retries")).build()) {
      for (String table :
          List.of(
              RetentionClass.of(options.retention().byDefault()).name(),
              RetentionClass.of(options.retention().byDefault()).pagesTable())) {
        session.execute(
            "ALTER TABLE " + KEYSPACE + "." + table + " WITH compression = {'enabled': false}");
      }
      Columns erased = write(store, 10, MARKER);
      write(store, 20, KEPT);
      cluster.nodetool("flush", KEYSPACE);
      join(store.publishNow());
      clock.set(HOUR.end().plus(Duration.ofHours(1)));
      join(store.sealNow());
      write(store, 30, KEPT); // the packs and the pages of the row have both
      cluster.nodetool("flush", KEYSPACE);
      assertThat(filesWith(MARKER)).hasSizeGreaterThan(1);
      Erasure erasure =
          new Erasure(
              new TimeUuid(Ticks.of(clock.instant()), 0x9000_0000_0000_0000L),
              List.of(new ErasedRow(ROW, erased.namesOnly())),
              List.of());
      join(ErasingStore.over(store).erase(erasure));
      Awaitility.await()
          .until(
              () ->
                  join(store.erasures().all()).stream()
                      .allMatch(each -> each.state() == ErasureStatus.State.DONE));
      cluster.nodetool("flush", KEYSPACE);
      cluster.nodetool("garbagecollect", "-g", "CELL", KEYSPACE);
      // Files that were replaced are deleted a little later.
      Awaitility.await().untilAsserted(() -> assertThat(filesWith(MARKER)).isEmpty());
      assertThat(filesWith(KEPT)).isNotEmpty();
    }
  }

  /** Writes a column alone, so that its payload is stored as it is. */
  private static Columns write(CassandraStore store, int second, String text) {
    byte[] payload = ("{\"user\":\"" + text + "\"}").getBytes(ISO_8859_1);
    ColumnsBuilder builder = new ColumnsBuilder(1, payload.length);
    builder.add(
        HOUR.startTicks() + second * Ticks.PER_SECOND,
        0x9000_0000_0000_0000L,
        payload,
        0,
        payload.length);
    Columns columns = builder.build();
    join(store.write(List.of(new Mutation(ROW, columns))));
    return columns;
  }

  /** Returns the files of tables that contain a text. */
  private static List<Path> filesWith(String text) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().contains("/" + KEYSPACE + "/"))
          .filter(Files::isRegularFile)
          .filter(file -> contains(file, text))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file, ISO_8859_1).contains(text);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
