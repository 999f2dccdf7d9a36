package hourglass.store.cassandra.driver;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RequestWindowTest {
  private static final int WAITING = 50_000;

  private final RequestWindow window = new RequestWindow("reads", 4, WAITING);

  @Test
  void windowIsEmptyAfterAllWaitingRequestsFail() {
    List<CompletableFuture<String>> frozen = new ArrayList<>();
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      CompletableFuture<String> asked = new CompletableFuture<>();
      frozen.add(asked);
      answers.add(window.run(() -> asked));
    }
    for (int i = 0; i < WAITING; i++) {
      answers.add(
          window.run(() -> CompletableFuture.failedFuture(new UnavailableException("no node"))));
    }
    assertThat(window.waiting()).isEqualTo(WAITING);
    assertThat(window.run(() -> new CompletableFuture<>()))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(OverloadedException.class);
    frozen.forEach(
        asked -> asked.completeExceptionally(new UnavailableException("closed connection")));
    assertThat(answers).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(window.running()).isZero();
    assertThat(window.waiting()).isZero();
    assertThat(window.run(() -> CompletableFuture.completedFuture("well")))
        .isCompletedWithValue("well");
  }

  @Test
  void aThrowingRequestFreesItsPlace() {
    assertThat(
            window.run(
                () -> {
                  throw new IllegalStateException("closed");
                }))
        .isCompletedExceptionally();
    assertThat(window.running()).isZero();
  }

  @Test
  void requestsBeginInOrder() {
    List<Integer> begun = new ArrayList<>();
    List<CompletableFuture<Integer>> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      CompletableFuture<Integer> answer = new CompletableFuture<>();
      asked.add(answer);
      var unused =
          window.run(
              () -> {
                begun.add(number);
                return answer;
              });
    }
    assertThat(begun).containsExactly(0, 1, 2, 3);
    asked.get(2).complete(2);
    asked.get(0).complete(0);
    assertThat(begun).containsExactly(0, 1, 2, 3, 4, 5);
    asked.forEach(answer -> answer.complete(0));
    assertThat(begun).hasSize(10).isSorted();
    assertThat(window.running()).isZero();
  }
}
