package hourglass.store.cassandra.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class TokenRangesTest {
  /** Reads all, and returns the bounds of the ranges that did not fail. */
  private static List<Long> bounds(BiPredicate<Long, Long> fails) {
    List<Long> bounds = new ArrayList<>();
    join(
        TokenRanges.readAll(
            (after, to) -> {
              if (fails.test(after, to)) {
                return CompletableFuture.failedFuture(new UnavailableException("tombstones"));
              }
              bounds.addAll(List.of(after, to));
              return CompletableFuture.completedFuture(null);
            }));
    return bounds;
  }

  private static void join(CompletionStage<Void> read) {
    read.toCompletableFuture().join();
  }

  private static void assertWhole(List<Long> bounds) {
    assertThat(bounds.get(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(bounds.get(bounds.size() - 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(bounds).isSorted();
    for (int i = 2; i < bounds.size(); i += 2) {
      assertThat(bounds.get(i)).isEqualTo(bounds.get(i - 1));
    }
  }

  @Test
  void theRangesAreAllTokens() {
    assertWhole(bounds((after, to) -> false));
  }

  @Test
  void aRangeThatFailsIsReadByHalves() {
    long token = 12_345;
    List<Long> bounds =
        bounds((after, to) -> after < token && token <= to && to - after > 1_000L << 32);
    assertWhole(bounds);
    assertThat(bounds).hasSizeGreaterThan(2 * 256);
  }

  @Test
  void aFailureOfTheSmallestRangeEndsTheRead() {
    AtomicInteger reads = new AtomicInteger();
    assertThatThrownBy(() -> bounds((after, to) -> reads.incrementAndGet() > 0))
        .hasCauseInstanceOf(UnavailableException.class);
    assertThat(reads.get()).isBetween(2, 50);
  }

  @Test
  void anotherFailureEndsTheReadAtOnce() {
    AtomicInteger reads = new AtomicInteger();
    CompletionStage<Void> read =
        TokenRanges.readAll(
            (after, to) -> {
              reads.incrementAndGet();
              throw new IllegalStateException("damaged");
            });
    assertThatThrownBy(() -> join(read)).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(reads.get()).isEqualTo(1);
  }
}
