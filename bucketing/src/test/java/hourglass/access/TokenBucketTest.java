package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Also where the clock passes its largest value. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5 * SECOND);

  private final TokenBucket bucket = new TokenBucket(now::get, SECOND);

  @Test
  void aRefusalReturnsTheWaitForMissingTokens() {
    assertThat(bucket.tryTake(6, 10)).isZero();
    assertThat(bucket.tryTake(4, 10)).isZero();
    assertThat(bucket.tryTake(1, 10)).isEqualTo(SECOND / 10);
    now.addAndGet(SECOND / 10 - 1);
    assertThat(bucket.tryTake(1, 10)).isEqualTo(1);
    now.incrementAndGet();
    assertThat(bucket.tryTake(1, 10)).isZero();
  }

  @Test
  void aTooLargeRequestPassesAFullBucketAndLeavesADebt() {
    assertThat(bucket.tryTake(100, 10)).isZero();
    assertThat(bucket.tryTake(1, 10)).isEqualTo(9 * SECOND + SECOND / 10);
    assertThat(bucket.tryTake(100, 10)).isEqualTo(10 * SECOND);
    now.addAndGet(10 * SECOND);
    assertThat(bucket.isFull()).isTrue();
    assertThat(bucket.tryTake(100, 10)).isZero();
  }

  @Test
  void unconditionalTakingLeavesADebt() {
    bucket.take(25, 10);
    assertThat(bucket.tryTake(0, 10)).isEqualTo(SECOND * 3 / 2);
    now.addAndGet(SECOND * 3 / 2);
    assertThat(bucket.tryTake(0, 10)).isZero();
    assertThat(bucket.tryTake(1, 10)).isEqualTo(SECOND / 10);
  }

  @Test
  void aHugeDebtIsBounded() {
    bucket.take(Long.MAX_VALUE, 1);
    bucket.take(Long.MAX_VALUE, 1);
    assertThat(bucket.tryTake(1, 1)).isPositive();
    assertThat(bucket.isFull()).isFalse();
  }

  @Test
  void aNewRateKeepsTheDebtAsTime() {
    bucket.take(20, 10);
    assertThat(bucket.tryTake(0, 1_000_000)).isEqualTo(SECOND);
  }

  @Test
  void futureTokensAreReservedInTheOrderOfCalls() {
    long patience = SECOND / 4;
    assertThat(bucket.tryTake(9, 10, patience)).isZero();
    assertThat(bucket.tryTake(2, 10, patience)).isEqualTo(SECOND / 10);
    assertThat(bucket.tryTake(1, 10, patience)).isEqualTo(SECOND / 5);
    assertThat(bucket.tryTake(1, 10, patience)).as("refused").isEqualTo(SECOND * 3 / 10);
    assertThat(bucket.tryTake(1, 10)).as("refused at once").isEqualTo(SECOND * 3 / 10);
    now.addAndGet(SECOND / 20);
    assertThat(bucket.tryTake(1, 10, patience)).isEqualTo(patience);
    now.addAndGet(SECOND * 5 / 4);
    assertThat(bucket.isFull()).isTrue();
  }

  @Test
  void aRequestLargerThanTheBucketWaitsUntilItIsFull() {
    assertThat(bucket.tryTake(2, 10)).isZero();
    assertThat(bucket.tryTake(100, 10, SECOND / 4)).isEqualTo(SECOND / 5);
    assertThat(bucket.tryTake(0, 10, SECOND / 4)).isEqualTo(9 * SECOND + SECOND / 5);
  }

  /** The model counts fractions of tokens at the moments when they become available. */
  @Test
  void aWaitEndsWhenTheTokensAreAvailable() {
    Random random = Seed.random(this);
    for (int run = 0; run < Tier.length(200, 200, 5_000); run++) {
      long rate = 1 + random.nextInt(random.nextBoolean() ? 10 : 1_000_000);
      TokenBucket tried = new TokenBucket(now::get, SECOND);
      double tokens = rate;
      long givenAt = now.get();
      for (int step = 0; step < 100; step++) {
        now.addAndGet(random.nextInt((int) (SECOND / 2)));
        long wanted = 1 + random.nextInt((int) Math.min(Integer.MAX_VALUE, 2 * rate));
        long wait = tried.tryTake(wanted, rate, SECOND);
        if (wait <= SECOND) {
          long passed = now.get() + wait - givenAt;
          assertThat(passed).isNotNegative();
          givenAt += passed;
          tokens = Math.min(rate, tokens + (double) rate * passed / SECOND);
          double missing = Math.min(wanted, rate) - tokens;
          double off = missing * SECOND / rate;
          assertThat(off).isLessThan(step + 1.0);
          if (wait > 0) {
            assertThat(off).isCloseTo(0, within(step));
          }
          tokens -= wanted;
        }
      }
    }
  }

  /** The model counts fractions of tokens. */
  @Test
  void randomRequestsAgreeWithAModel() {
    Random random = Seed.random(this);
    for (int run = 0; run < Tier.length(200, 200, 5_000); run++) {
      long rate = 1 + random.nextInt(random.nextBoolean() ? 10 : 1_000_000);
      TokenBucket tried = new TokenBucket(now::get, SECOND);
      double tokens = rate;
      for (int step = 0; step < 100; step++) {
        long passed = random.nextInt((int) (SECOND / 2));
        now.addAndGet(passed);
        tokens = Math.min(rate, tokens + (double) rate * passed / SECOND);
        long wanted = random.nextInt((int) Math.min(Integer.MAX_VALUE, 2 * rate + 1));
        double missing = Math.min(wanted, rate) - tokens;
        long wait = tried.tryTake(wanted, rate);
        // Each step may round by a nanosecond.
        assertThat((double) wait).isCloseTo(Math.max(0, missing * SECOND / rate), within(step));
        if (wait == 0) {
          tokens -= wanted;
        }
      }
    }
  }

  private static Offset<Double> within(int step) {
    return Offset.offset(step + 1.0);
  }

  @Test
  void concurrentThreadsGetNoMoreThanTheRate() {
    long passed =
        IntStream.range(0, 10_000).parallel().filter(i -> bucket.tryTake(1, 1_000) == 0).count();
    assertThat(passed).isEqualTo(1_000);
  }
}
