package hourglass.bucketing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeLoadsTest {
  private static final int[][] NODES = {{0}, {1}};

  private final NodeLoads loads = new NodeLoads(2, 1);

  @Test
  void theWorstSecondIsOneOfThem() {
    second(0, 50, 50);
    second(1, 75, 25);
    second(2, 50, 50);
    loads.end();

    assertThat(loads.worstSecond()).isEqualTo(1.5);
    assertThat(loads.worstSecondAt()).isEqualTo(1);
  }

  @Test
  void lastSecondCountsIfMostlyFull() {
    second(0, 50, 50);
    second(1, 50, 0);
    loads.end();

    assertThat(loads.worstSecond()).isEqualTo(2);
    assertThat(loads.worstSecondAt()).isEqualTo(1);
  }

  @Test
  void partOfSecondCountsInSumsOnly() {
    second(0, 50, 50);
    second(1, 49, 0);
    loads.end();

    assertThat(loads.worstSecond()).isEqualTo(1);
    assertThat(loads.writes()).containsExactly(99, 50);
    assertThat(loads.intervals().get(1)).containsExactly(49, 0);
  }

  @Test
  void worstSecondOfShortLoad() {
    second(0, 50, 0);
    loads.end();

    assertThat(loads.worstSecond()).isEqualTo(2);
  }

  @Test
  void secondOfFewWritesIsIgnored() {
    second(0, NodeLoads.WRITES_OF_A_SECOND_MIN, 0);
    second(1, 50, 50);
    loads.end();

    assertThat(loads.worstSecond()).isEqualTo(1);
  }

  private void second(int second, int... writes) {
    for (int node = 0; node < writes.length; node++) {
      for (int i = 0; i < writes[node]; i++) {
        loads.add(second, NODES[node], 1, 100);
      }
    }
  }
}
