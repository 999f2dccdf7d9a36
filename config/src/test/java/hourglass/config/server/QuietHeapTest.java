package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.MemoryUsage;
import org.junit.jupiter.api.Test;

class QuietHeapTest {
  private static final long MIB = 1L << 20;
  private static final long SECOND_NANOS = 1_000_000_000;

  private long cpuNanos;
  private long committed = 64 * MIB;
  private long committedAfter = 80 * MIB;
  private int collections;
  private final QuietHeap heap =
      new QuietHeap(
          () -> cpuNanos,
          () -> new MemoryUsage(64 * MIB, 0, committed, -1),
          () -> {
            collections++;
            committed = committedAfter;
          });

  @Test
  void aGrownHeapIsCollectedOnceTheProcessIsIdle() {
    committed = 500 * MIB;
    cpuNanos += 10 * SECOND_NANOS;
    heap.check();
    assertThat(collections).as("while busy").isZero();
    cpuNanos += SECOND_NANOS;
    heap.check();
    assertThat(collections).isEqualTo(1);
  }

  @Test
  void aHeapThatCannotShrinkIsLeftAlone() {
    committed = committedAfter = 500 * MIB;
    for (int period = 0; period < 3; period++) {
      heap.check();
    }
    assertThat(collections).isEqualTo(1);
    committed = 600 * MIB;
    heap.check();
    assertThat(collections).as("after a growth by a fifth").isEqualTo(1);
    committed = 700 * MIB;
    heap.check();
    assertThat(collections).isEqualTo(2);
  }

  @Test
  void collectionsRepeatWhileTheHeapShrinks() {
    committed = 500 * MIB;
    committedAfter = 400 * MIB;
    heap.check();
    committedAfter = 390 * MIB;
    heap.check();
    heap.check();
    assertThat(collections).isEqualTo(2);
  }

  @Test
  void aSmallHeapIsNotCollected() {
    committed = 120 * MIB;
    heap.check();
    assertThat(collections).isZero();
  }

  @Test
  void theCollectionDoesNotCountAsWork() {
    committed = 500 * MIB;
    QuietHeap costly =
        new QuietHeap(
            () -> cpuNanos,
            () -> new MemoryUsage(64 * MIB, 0, committed, -1),
            () -> {
              collections++;
              cpuNanos += 10 * SECOND_NANOS;
            });
    costly.check();
    committed = 700 * MIB;
    costly.check();
    assertThat(collections).isEqualTo(2);
  }
}
