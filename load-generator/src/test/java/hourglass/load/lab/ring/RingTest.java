package hourglass.load.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RingTest {
  @Test
  void keyBelongsToNextToken() {
    long token = Murmur3Token.of("20112608|checkout|0");
    Ring ring = new Ring(new long[][] {{token}, {token - 1}, {token + 1}}, 2);
    assertThat(ring.replicas("20112608|checkout|0")).containsExactly(0, 2);
    Ring after = new Ring(new long[][] {{token + 1}, {token - 1}}, 1);
    assertThat(after.replicas("20112608|checkout|0")).containsExactly(0);
    Ring around = new Ring(new long[][] {{token - 1}, {token - 2}}, 1);
    assertThat(around.replicas("20112608|checkout|0")).containsExactly(1);
  }

  @Test
  void copiesAreOnDifferentNodes() {
    Ring ring = new Ring(TokenAllocation.random.tokens(4, 16, 1), 3);
    for (int i = 0; i < 1_000; i++) {
      assertThat(ring.replicas("key " + i)).hasSize(3).doesNotHaveDuplicates();
    }
  }

  @Test
  void refusesATokenTwiceAndTooManyCopies() {
    assertThatThrownBy(() -> new Ring(new long[][] {{1, 2}, {2}}, 1)).hasMessageContaining("twice");
    assertThatThrownBy(() -> new Ring(new long[][] {{1, 2}, {3}}, 3))
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
    long[][] tokens = allocation.tokens(nodes, 16, 7);
    assertThat(tokens).hasDimensions(nodes, 16);
    double[] shares = new Ring(tokens, 1).ownership();
    assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-9));
    double mean = 1.0 / nodes;
    assertThat(Arrays.stream(shares).max().orElseThrow() / mean)
        .as("%s of %d", allocation, nodes)
        .isBetween(atLeast - 1e-9, atMost + 1e-9);
  }

  @Test
  void theSameSeedGivesTheSameTokens() {
    for (TokenAllocation allocation : TokenAllocation.values()) {
      assertThat(allocation.tokens(5, 16, 3)).isDeepEqualTo(allocation.tokens(5, 16, 3));
    }
    assertThat(
            Arrays.deepEquals(
                TokenAllocation.allocated.tokens(5, 16, 3),
                TokenAllocation.allocated.tokens(5, 16, 4)))
        .isFalse();
  }

  @Test
  void keysFallAsTheTokensSay() {
    Ring ring = new Ring(TokenAllocation.random.tokens(6, 16, 11), 1);
    double[] shares = ring.ownership();
    int[] keys = new int[6];
    for (int i = 0; i < 200_000; i++) {
      keys[ring.replicas("key " + i)[0]]++;
    }
    for (int node = 0; node < 6; node++) {
      assertThat(keys[node] / 200_000.0).isCloseTo(shares[node], within(0.005));
    }
  }
}
