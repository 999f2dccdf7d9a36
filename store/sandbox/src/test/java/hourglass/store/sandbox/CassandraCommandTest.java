package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraCommandTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void nodesShareTheRingEvenly(int nodes) {
    TreeSet<Long> ring = new TreeSet<>();
    List<String> all =
        IntStream.rangeClosed(1, nodes)
            .mapToObj(node -> CassandraCommand.tokens(node, nodes))
            .flatMap(tokens -> Stream.of(tokens.split(",")))
            .toList();
    all.forEach(token -> ring.add(Long.parseLong(token)));
    assertThat(ring).hasSize(16 * nodes).doesNotContain(Long.MIN_VALUE);
    long arc = Long.divideUnsigned(-1, 16L * nodes);
    ring.forEach(
        token -> {
          Long next = ring.higher(token);
          if (next != null) {
            assertThat(next - token).isEqualTo(arc);
          }
        });
  }
}
