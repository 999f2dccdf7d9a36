package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ResultsInOrderTest {
  private static final int AHEAD_MAX = 3;

  private final List<String> taken = new ArrayList<>();
  private final ResultsInOrder<String> results = new ResultsInOrder<>(AHEAD_MAX, taken::add);

  private boolean isNear(CompletionStage<Void> put) {
    return put.toCompletableFuture().isDone();
  }

  @Test
  void aResultWaitsForThoseBeforeIt() {
    assertThat(isNear(results.put(1, "b"))).isTrue();
    assertThat(taken).isEmpty();
    results.put(0, "a");
    assertThat(taken).containsExactly("a", "b");
    results.put(2, "c");
    assertThat(taken).containsExactly("a", "b", "c");
  }

  @Test
  void producersFarAheadWait() {
    CompletionStage<Void> fourth = results.put(3, "d");
    CompletionStage<Void> fifth = results.put(4, "e");
    assertThat(isNear(fourth)).isFalse();
    results.put(0, "a");
    assertThat(isNear(fourth)).isTrue();
    assertThat(isNear(fifth)).isFalse();
    results.put(1, "b");
    assertThat(isNear(fifth)).isTrue();
    assertThat(taken).containsExactly("a", "b");
  }

  @Test
  void resultsAreOrderedByNumber() {
    Random random = Seed.random(this);
    List<Long> numbers = new ArrayList<>(LongStream.range(0, 200).boxed().toList());
    Collections.shuffle(numbers, random);
    List<CompletionStage<Void>> all =
        numbers.stream().map(number -> results.put(number, "" + number)).toList();
    assertThat(taken)
        .containsExactlyElementsOf(IntStream.range(0, 200).mapToObj(n -> "" + n).toList());
    assertThat(all).allMatch(this::isNear);
  }
}
