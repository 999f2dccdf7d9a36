package hourglass.bucketing.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RingTest {
  @Test
  void keyBelongsToNextToken() {
    long token = Murmur3Token.of("20112608|checkout|0".getBytes(StandardCharsets.UTF_8));
    Ring ring = new Ring(new TreeMap<>(Map.of(token, 0, token - 1, 1, token + 1, 2)), 2);
    assertThat(ring.replicas("20112608|checkout|0")).containsExactly(0, 2);
    Ring after = new Ring(new TreeMap<>(Map.of(token + 1, 0, token - 1, 1)), 1);
    assertThat(after.replicas("20112608|checkout|0")).containsExactly(0);
    Ring around = new Ring(new TreeMap<>(Map.of(token - 1, 0, token - 2, 1)), 1);
    assertThat(around.replicas("20112608|checkout|0")).containsExactly(1);
  }

  @Test
  void copiesAreOnDifferentNodes() {
    Ring ring = new Ring(TokenAllocation.random.nodesByToken(4, 16, 1), 3);
    for (int i = 0; i < 1_000; i++) {
      assertThat(ring.replicas("key " + i)).hasSize(3).doesNotHaveDuplicates();
    }
  }

  @Test
  void refusesTooManyCopies() {
    assertThatThrownBy(() -> new Ring(new TreeMap<>(Map.of(1L, 0, 2L, 0, 3L, 1)), 3))
        .hasMessage("replication: 3, want 1 to 2");
  }

  @ParameterizedTest
  @CsvSource({
    // allocation, nodes, largest ownership over the mean: at least, at most
    "allocated,   1, 1.0, 1.0",
    "allocated,   2, 1.0, 1.01",
    "allocated,   3, 1.0, 1.01",
    "allocated,  12, 1.0, 1.01",
    "allocated, 100, 1.0, 1.05",
    "allocated, 200, 1.0, 1.05",
    "even,        3, 1.0, 1.0001",
    "even,      200, 1.0, 1.0001",
    "random,    100, 1.3, 2.5",
  })
  void nodesOwnAboutTheSame(TokenAllocation allocation, int nodes, double atLeast, double atMost) {
    SortedMap<Long, Integer> tokens = allocation.nodesByToken(nodes, 16, 7);
    for (int node = 0; node < nodes; node++) {
      assertThat(Collections.frequency(tokens.values(), node)).isEqualTo(16);
    }
    double[] shares = ownership(tokens, nodes);
    assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-9));
    double mean = 1.0 / nodes;
    assertThat(Arrays.stream(shares).max().orElseThrow() / mean)
        .as("%s of %d", allocation, nodes)
        .isBetween(atLeast - 1e-9, atMost + 1e-9);
  }

  private static double[] ownership(SortedMap<Long, Integer> tokens, int nodes) {
    double[] shares = new double[nodes];
    long before = tokens.lastKey();
    for (Map.Entry<Long, Integer> entry : tokens.entrySet()) {
      shares[entry.getValue()] += Ring.distance(before, entry.getKey()) / Ring.WHOLE;
      before = entry.getKey();
    }
    return shares;
  }

  @Test
  void theSameSeedGivesTheSameTokens() {
    for (TokenAllocation allocation : TokenAllocation.values()) {
      assertThat(allocation.nodesByToken(5, 16, 3)).isEqualTo(allocation.nodesByToken(5, 16, 3));
    }
    assertThat(TokenAllocation.allocated.nodesByToken(5, 16, 3))
        .isNotEqualTo(TokenAllocation.allocated.nodesByToken(5, 16, 4));
  }

  @Test
  void keysFallAsTheTokensSay() {
    SortedMap<Long, Integer> tokens = TokenAllocation.random.nodesByToken(6, 16, 11);
    Ring ring = new Ring(tokens, 1);
    double[] shares = ownership(tokens, 6);
    int[] keys = new int[6];
    for (int i = 0; i < 200_000; i++) {
      keys[ring.replicas("key " + i)[0]]++;
    }
    for (int node = 0; node < 6; node++) {
      assertThat(keys[node] / 200_000.0).isCloseTo(shares[node], within(0.005));
    }
  }
}
