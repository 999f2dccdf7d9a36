package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.planner.ShardClaim;
import hourglass.store.CountQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Writers tell each other what they may put into rows, before they do. What is told is read at once
 * by everybody, and columns that nobody claimed are told too. Each test has a type of its own,
 * since claims alone make no hour that could be emptied before the next one.
 */
interface ClaimContract extends StoreFixture {

  private static ShardClaim claim(int shard, String writer, long columns) {
    return new ShardClaim(shard, writer, false, columns, 10 * columns);
  }

  @Test
  default void aClaimIsReadAsItWasTold() {
    ShardClaim shared = claim(0, "a", 500);
    ShardClaim sole = new ShardClaim(1_000_000, "b", true, 100_000, 10L << 20);
    assertThat(store().claim(HOUR, "told", shared, sole)).containsExactlyInAnyOrder(shared, sole);
    assertThat(store().claim(HOUR, "told")).containsExactlyInAnyOrder(shared, sole);
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
  default void aClaimMakesNoRow() {
    store().claim(HOUR, ROW.type(), claim(ROW.shard(), "a", 500));
    assertThat(store().rows(HOUR)).isEmpty();
    assertThat(store().hours(Hour.FIRST, Hour.LAST)).isEmpty();
    assertThat(store().read(ROW)).isEmpty();
  }

  @Test
  default void columnsThatNobodyClaimedAreTold() {
    RowKey other = new RowKey(HOUR, ROW.type(), 7);
    store().write(ROW, seconds(0, 20));
    store().write(other, seconds(0, 30));
    store().write(new RowKey(HOUR, "search", 0), seconds(0, 40));
    List<ShardClaim> claims = store().claim(HOUR, ROW.type());
    assertThat(claims).hasSize(2).allMatch(claim -> claim.writer().equals(ShardClaim.NOBODY));
    assertThat(claims).noneMatch(ShardClaim::sole);
    assertThat(columnsClaimed(claims, ROW)).isGreaterThanOrEqualTo(20);
    assertThat(columnsClaimed(claims, other)).isGreaterThanOrEqualTo(30);
    long bytes = store().count(CountQuery.all(other)).bytes();
    assertThat(
            claims.stream().filter(claim -> claim.shard() == 7).findFirst().orElseThrow().bytes())
        .isGreaterThanOrEqualTo(bytes);
  }

  @Test
  default void claimsAreReadByThoseWhoOnlyLook() {
    assertThat(store().claims(HOUR, "looked at")).isEmpty();
    ShardClaim shared = claim(0, "a", 500);
    ShardClaim sole = new ShardClaim(1_000_000, "b", true, 100_000, 10L << 20);
    store().claim(HOUR, "looked at", shared, sole);
    assertThat(store().claims(HOUR, "looked at")).containsExactlyInAnyOrder(shared, sole);
    assertThat(store().claims(HOUR.next(), "looked at")).isEmpty();
    assertThat(store().claims(HOUR, "looked")).isEmpty();
  }

  /** Were a look a question, what is written after it would belong to somebody who claimed it. */
  @Test
  default void aLookTellsAndRemembersNothing() {
    store().write(ROW, seconds(0, 20));
    assertThat(store().claims(HOUR, ROW.type())).isEmpty();
    store().write(ROW, seconds(20, 50));
    assertThat(store().claims(HOUR, ROW.type())).as("once more").isEmpty();
    long columns = store().count(CountQuery.all(ROW)).columns();
    assertThat(columnsClaimed(store().claim(HOUR, ROW.type()), ROW))
        .isGreaterThanOrEqualTo(columns);
    assertThat(columnsClaimed(store().claims(HOUR, ROW.type()), ROW))
        .as("as it was told")
        .isGreaterThanOrEqualTo(columns);
  }

  @Test
  default void nothingThatWasWrittenGoesUntoldAfterAReopen() {
    store().claim(HOUR, ROW.type(), claim(ROW.shard(), "a", 25));
    store().write(ROW, seconds(0, 20));
    reopen();
    long columns = store().count(CountQuery.all(ROW)).columns();
    List<ShardClaim> claims = store().claim(HOUR, ROW.type(), claim(ROW.shard(), "b", 5));
    assertThat(columnsClaimed(claims, ROW)).isGreaterThanOrEqualTo(columns + 5);
  }

  @Test
  default void claimsOfADroppedHourAreGone() {
    store().claim(HOUR, ROW.type(), claim(ROW.shard(), "a", 25));
    store().write(ROW, seconds(0, 20));
    store().drop(HOUR);
    assertThat(columnsClaimed(store().claim(HOUR, ROW.type()), ROW)).isZero();
  }

  @Test
  default void ofTwoClaimsAtOnceOneSeesTheOther() {
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
            () -> engine().claim(HOUR, "at once", List.of(claim(shard, writer, 1))))
        .thenCompose(claims -> claims);
  }

  private static long columnsClaimed(List<ShardClaim> claims, RowKey row) {
    return claims.stream()
        .filter(claim -> claim.shard() == row.shard())
        .mapToLong(ShardClaim::columns)
        .sum();
  }
}
