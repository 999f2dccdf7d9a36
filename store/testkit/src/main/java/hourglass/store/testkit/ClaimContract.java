package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.CountQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Writers publish claims before they write to rows. Every reader sees a claim at once, and columns
 * without a claim are published too. Each test uses a type of its own, since claims alone create no
 * hour to drop.
 */
interface ClaimContract extends StoreFixture {

  private static RowKey row(String type, int shard) {
    return new RowKey(HOUR, type, shard);
  }

  private static ShardClaim claim(int shard, String writer, long columns) {
    return new ShardClaim(shard, writer, false, columns, 10 * columns);
  }

  @Test
  default void claimIsReadAsPublished() {
    ShardClaim shared = claim(0, "a", 500);
    ShardClaim sole = new ShardClaim(1_000_000, "b", true, 100_000, 10L << 20);
    assertThat(store().claim(HOUR, "published", shared, sole))
        .containsExactlyInAnyOrder(shared, sole);
    assertThat(store().claim(HOUR, "published")).containsExactlyInAnyOrder(shared, sole);
  }

  @Test
  default void aClaimReplacesThatOfItsShardAndWriter() {
    store().claim(HOUR, "replaced", claim(0, "a", 500), claim(1, "a", 500), claim(0, "b", 500));
    store().claim(HOUR, "replaced", claim(0, "a", 0));
    assertThat(store().claim(HOUR, "replaced", claim(0, "b", 700)))
        .containsExactlyInAnyOrder(claim(0, "a", 0), claim(1, "a", 500), claim(0, "b", 700));
  }

  @Test
  default void claimsBelongToTheirHourAndType() {
    store().claim(HOUR, "apart", claim(0, "a", 500));
    store().claim(HOUR.next(), "apart", claim(1, "a", 500));
    assertThat(store().claim(HOUR, "a|part")).isEmpty();
    assertThat(store().claim(HOUR, "apart")).containsExactly(claim(0, "a", 500));
    assertThat(store().claim(HOUR.next(), "apart")).containsExactly(claim(1, "a", 500));
  }

  @Test
  default void aClaimCreatesNoRow() {
    store().claim(HOUR, "claimed only", claim(0, "a", 500));
    assertThat(store().rows(HOUR)).isEmpty();
    assertThat(store().hours(Hour.FIRST, Hour.LAST)).isEmpty();
    assertThat(store().read(row("claimed only", 0))).isEmpty();
  }

  @Test
  default void unclaimedColumnsAreReported() {
    RowKey row = row("unclaimed", 0);
    RowKey other = row("unclaimed", 7);
    store().write(row, seconds(0, 20));
    store().write(other, seconds(0, 30));
    store().write(row("not asked for", 0), seconds(0, 40));
    List<ShardClaim> claims = store().claim(HOUR, "unclaimed");
    assertThat(claims).hasSize(2).allMatch(claim -> claim.writer().equals(ShardClaim.NO_WRITER));
    assertThat(claims).noneMatch(ShardClaim::sole);
    assertThat(columnsClaimed(claims, row)).isGreaterThanOrEqualTo(20);
    assertThat(columnsClaimed(claims, other)).isGreaterThanOrEqualTo(30);
    long bytes = store().count(CountQuery.all(other)).bytes();
    assertThat(
            claims.stream().filter(claim -> claim.shard() == 7).findFirst().orElseThrow().bytes())
        .isGreaterThanOrEqualTo(bytes);
  }

  /** The first claim precedes the writes of its writer, so its bound covers future columns only. */
  @Test
  default void claimExcludesEarlierColumns() {
    RowKey row = row("there before", 0);
    store().write(row, seconds(0, 20));
    long columns = store().count(CountQuery.all(row)).columns();
    List<ShardClaim> claims = store().claim(HOUR, "there before", claim(0, "a", 15));
    assertThat(columnsClaimed(claims, row)).isGreaterThanOrEqualTo(columns + 15);
    assertThat(columnsClaimed(store().claim(HOUR, "there before"), row))
        .as("as reported")
        .isGreaterThanOrEqualTo(columns + 15);
  }

  @Test
  default void claimsAreReadWithoutClaiming() {
    assertThat(store().claims(HOUR, "read")).isEmpty();
    ShardClaim shared = claim(0, "a", 500);
    ShardClaim sole = new ShardClaim(1_000_000, "b", true, 100_000, 10L << 20);
    store().claim(HOUR, "read", shared, sole);
    assertThat(store().claims(HOUR, "read")).containsExactlyInAnyOrder(shared, sole);
    assertThat(store().claims(HOUR.next(), "read")).isEmpty();
    assertThat(store().claims(HOUR, "rea")).isEmpty();
  }

  /** If a read registered unclaimed columns, later unclaimed ones would be missing. */
  @Test
  default void readingClaimsChangesNothing() {
    RowKey row = row("only read", 0);
    store().write(row, seconds(0, 20));
    assertThat(store().claims(HOUR, row.type())).isEmpty();
    store().write(row, seconds(20, 50));
    assertThat(store().claims(HOUR, row.type())).as("once more").isEmpty();
    long columns = store().count(CountQuery.all(row)).columns();
    assertThat(columnsClaimed(store().claim(HOUR, row.type()), row))
        .isGreaterThanOrEqualTo(columns);
    assertThat(columnsClaimed(store().claims(HOUR, row.type()), row))
        .as("as reported")
        .isGreaterThanOrEqualTo(columns);
  }

  @Test
  default void claimsCoverColumnsAfterAReopen() {
    RowKey row = row("reopened", 0);
    store().claim(HOUR, row.type(), claim(0, "a", 25));
    store().write(row, seconds(0, 20));
    reopen();
    long columns = store().count(CountQuery.all(row)).columns();
    List<ShardClaim> claims = store().claim(HOUR, row.type(), claim(0, "b", 5));
    assertThat(columnsClaimed(claims, row)).isGreaterThanOrEqualTo(columns + 5);
  }

  @Test
  default void claimsOfADroppedHourAreGone() {
    RowKey row = row("dropped", 0);
    store().claim(HOUR, row.type(), claim(0, "a", 25));
    store().write(row, seconds(0, 20));
    store().drop(HOUR);
    assertThat(columnsClaimed(store().claim(HOUR, row.type()), row)).isZero();
  }

  /** This holds even if both are pending: a claim takes effect at the time of its call. */
  @Test
  default void laterClaimOfAWriterReplacesItsEarlier() {
    for (int i = 0; i < 20; i++) {
      String type = "twice " + i;
      Hour fresh = new Hour(HOUR.epochHours() + 100 + i);
      CompletableFuture<List<ShardClaim>> first =
          engine()
              .claim(new TypeHour(fresh, type), List.of(claim(0, "a", 500)))
              .toCompletableFuture();
      CompletableFuture<List<ShardClaim>> second =
          engine()
              .claim(new TypeHour(fresh, type), List.of(claim(0, "a", 700)))
              .toCompletableFuture();
      first.join();
      second.join();
      assertThat(store().claim(fresh, type)).as(type).containsExactly(claim(0, "a", 700));
    }
  }

  @Test
  default void oneOfTwoConcurrentClaimsSeesTheOther() {
    for (int shard = 1; shard <= 50; shard++) {
      CompletableFuture<List<ShardClaim>> a = claimLater(shard, "a");
      CompletableFuture<List<ShardClaim>> b = claimLater(shard, "b");
      boolean seenByA = a.join().contains(claim(shard, "b", 1));
      boolean seenByB = b.join().contains(claim(shard, "a", 1));
      assertThat(seenByA || seenByB).as("shard %d", shard).isTrue();
    }
  }

  private CompletableFuture<List<ShardClaim>> claimLater(int shard, String writer) {
    return CompletableFuture.supplyAsync(
            () -> engine().claim(new TypeHour(HOUR, "at once"), List.of(claim(shard, writer, 1))))
        .thenCompose(claims -> claims);
  }

  private static long columnsClaimed(List<ShardClaim> claims, RowKey row) {
    return claims.stream()
        .filter(claim -> claim.shard() == row.shard())
        .mapToLong(ShardClaim::columns)
        .sum();
  }
}
