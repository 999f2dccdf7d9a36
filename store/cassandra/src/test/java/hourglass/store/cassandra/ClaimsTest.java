package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.cassandra.driver.RequestWindow;
import hourglass.store.testkit.TestClock;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Concurrent claims, and claims of ended processes. */
class ClaimsTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int REQUESTS_MAX = 4;

  private final CassandraOptions options =
      OneNode.options(KEYSPACE).requestsMax(REQUESTS_MAX).build();
  private final TestClock clock = new TestClock();
  private String type;
  private CassandraStore store;
  private CqlSession session;

  @BeforeEach
  void open() {
    type = "type " + System.nanoTime();
    store = OneNode.open(options, clock);
    session = SessionFactory.builder(options, new SimpleMeterRegistry().counter("retries")).build();
  }

  @AfterEach
  void close() {
    session.close();
    store.close();
  }

  private static ShardClaim claim(int shard, String writer, long columns) {
    return new ShardClaim(shard, writer, false, columns, 10 * columns);
  }

  private List<ShardClaim> claim(ShardClaim... told) {
    return store.claim(new TypeHour(HOUR, type), List.of(told)).toCompletableFuture().join();
  }

  private void write(int shard, int columns) {
    ColumnsBuilder pack = new ColumnsBuilder(columns, columns);
    for (int i = 0; i < columns; i++) {
      pack.add(TimeUuid.first(HOUR.startTicks() + i).ticks(), 0, new byte[] {1}, 0, 1);
    }
    Mutation mutation = new Mutation(new RowKey(HOUR, type, shard), pack.build());
    store.write(List.of(mutation)).toCompletableFuture().join();
  }

  private static long columns(List<ShardClaim> claims, int shard) {
    return claims.stream()
        .filter(claim -> claim.shard() == shard)
        .mapToLong(ShardClaim::columns)
        .sum();
  }

  /** Leaves the state of a process that stops here, or claims at the same moment. */
  private void tellByAnother(ShardClaim claim) {
    session.execute(
        "INSERT INTO "
            + KEYSPACE
            + ".claims (hour, generation, type, shard, writer, sole, columns, bytes)"
            + " VALUES (?, 0, ?, ?, ?, ?, ?, ?)",
        HOUR.epochHours(),
        type,
        claim.shard(),
        claim.writer(),
        claim.sole(),
        claim.columns(),
        claim.bytes());
  }

  private List<Row> stored() {
    return session
        .execute(
            "SELECT shard, writer, columns, TTL(columns) AS ttl FROM "
                + KEYSPACE
                + ".claims WHERE hour = ? AND generation = 0 AND type = ?",
            HOUR.epochHours(),
            type)
        .all();
  }

  @Test
  void unclaimedColumnsAreReportedDespiteAnEarlierClaim() {
    write(0, 20);
    write(7, 30);
    tellByAnother(claim(0, "b", 15));
    List<ShardClaim> claims = claim(claim(0, "a", 5));
    assertThat(columns(claims, 0)).isGreaterThanOrEqualTo(20 + 15 + 5);
    assertThat(columns(claims, 7)).isGreaterThanOrEqualTo(30);
  }

  @Test
  void unclaimedColumnsAreCountedOnceForAllProcesses() {
    assertThat(claim(claim(0, "a", 15))).containsExactly(claim(0, "a", 15));
    write(0, 15);
    try (CassandraStore other = OneNode.open(options, clock)) {
      assertThat(
              other
                  .claim(new TypeHour(HOUR, type), List.of(claim(0, "b", 5)))
                  .toCompletableFuture()
                  .join())
          .containsExactlyInAnyOrder(claim(0, "a", 15), claim(0, "b", 5));
    }
  }

  @Test
  void columnsOfExpiredClaimsAreReportedAgain() {
    claim(claim(0, "a", 15));
    write(0, 15);
    session.execute(
        "DELETE FROM " + KEYSPACE + ".claims WHERE hour = ? AND generation = 0 AND type = ?",
        HOUR.epochHours(),
        type);
    assertThat(columns(claim(claim(0, "b", 5)), 0)).isGreaterThanOrEqualTo(15 + 5);
  }

  /**
   * Otherwise columns would be unclaimed from the end of their claims to that of the registration.
   */
  @Test
  void unclaimedColumnsExpireBeforeTheClaims() {
    write(7, 30);
    claim(claim(0, "a", 15));
    int claimed =
        stored().stream()
            .filter(row -> "a".equals(row.getString("writer")))
            .findFirst()
            .orElseThrow()
            .getInt("ttl");
    List<Row> nobody = stored().stream().filter(row -> "".equals(row.getString("writer"))).toList();
    assertThat(nobody).extracting(row -> row.getInt("shard")).containsExactly(0, 7);
    assertThat(nobody)
        .allMatch(row -> row.getInt("ttl") > 0 && claimed - row.getInt("ttl") > 80_000);
  }

  @Test
  void claimsDoNotWaitForReadsOrWrites() {
    write(0, 20);
    List<CompletableFuture<Void>> underWay = new ArrayList<>();
    for (int i = 0; i < REQUESTS_MAX; i++) {
      underWay.add(takePlace(store.reads()));
      underWay.add(takePlace(store.writes()));
    }
    assertThat(store.claim(new TypeHour(HOUR, type), List.of(claim(0, "a", 5))))
        .succeedsWithin(Patience.LONGEST);
    underWay.forEach(request -> request.complete(null));
  }

  private static CompletableFuture<Void> takePlace(RequestWindow window) {
    CompletableFuture<Void> request = new CompletableFuture<>();
    var unused = window.run(() -> request);
    return request;
  }
}
