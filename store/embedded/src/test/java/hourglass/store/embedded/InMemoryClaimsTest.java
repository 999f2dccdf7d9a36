package hourglass.store.embedded;

import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Claims of hours without rows: nothing is read, so all is answered at once. */
class InMemoryClaimsTest {
  private static final int CLAIMS_AN_HOUR = InMemoryClaims.REMEMBERED_MAX / 10;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private final Readers readers = new Readers("claim", 1);
  private InMemoryClaims claims;

  @BeforeEach
  void open() throws IOException {
    claims = new InMemoryClaims(TestStore.hours(temp), readers);
  }

  @AfterEach
  void close() {
    readers.close();
  }

  private static Hour hour(int number) {
    return new Hour(HOUR.epochHours() + number);
  }

  private List<ShardClaim> claim(Hour hour, int count) {
    List<ShardClaim> told =
        IntStream.range(0, count)
            .mapToObj(shard -> new ShardClaim(shard, "w", true, 100_000, 1_000_000))
            .toList();
    return claims.claim(new TypeHour(hour, "busy"), told).toCompletableFuture().join();
  }

  @Test
  void claimsOfOldHoursAreEvicted() {
    for (int hour = 0; hour < 48; hour++) {
      assertThat(claim(hour(hour), CLAIMS_AN_HOUR)).hasSize(CLAIMS_AN_HOUR);
      assertThat(claims.remembered()).isLessThanOrEqualTo(InMemoryClaims.REMEMBERED_MAX);
    }
    assertThat(claim(hour(47), 0)).as("the last hour").hasSize(CLAIMS_AN_HOUR);
    assertThat(claim(hour(0), 0)).as("the first one").isEmpty();
  }

  @Test
  void readingClaimsDoesNotDelayEviction() {
    for (int hour = 0; hour < 20; hour++) {
      claim(hour(hour), CLAIMS_AN_HOUR);
      claims.published(new TypeHour(HOUR, "busy"));
      claims.published(new TypeHour(hour(100 + hour), "busy"));
    }
    assertThat(claims.published(new TypeHour(HOUR, "busy"))).isEmpty();
    assertThat(claims.published(new TypeHour(hour(19), "busy"))).hasSize(CLAIMS_AN_HOUR);
    assertThat(claims.remembered() % (CLAIMS_AN_HOUR + 1)).isZero();
  }

  @Test
  void aSingleLargeHourIsKeptWhole() {
    assertThat(claim(HOUR, 2 * InMemoryClaims.REMEMBERED_MAX))
        .hasSize(2 * InMemoryClaims.REMEMBERED_MAX);
    assertThat(claim(HOUR, 0)).hasSize(2 * InMemoryClaims.REMEMBERED_MAX);
  }

  @Test
  void repeatedAndDroppedClaimsAreCountedOnce() {
    claim(HOUR, 100);
    claim(HOUR, 100);
    claim(HOUR.next(), 10);
    assertThat(claims.remembered()).isEqualTo(100 + 10 + 2);
    claims.forget(HOUR);
    assertThat(claims.remembered()).isEqualTo(10 + 1);
  }
}
