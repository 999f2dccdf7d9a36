package hourglass.store.cassandra.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SingleFlightTest {
  private final List<CompletableFuture<Integer>> asked = new ArrayList<>();
  private final SingleFlight<String, Integer> questions =
      new SingleFlight<>(
          about -> {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
          });

  private CompletableFuture<Integer> ask(String about) {
    return questions.ask(about).toCompletableFuture();
  }

  @Test
  void concurrentCallersShareTheNextAnswer() {
    CompletableFuture<Integer> first = ask("a");
    List<CompletableFuture<Integer>> later =
        IntStream.range(0, 1_000).mapToObj(i -> ask("a")).toList();
    assertThat(asked).hasSize(1);
    asked.get(0).complete(1);
    assertThat(first).isCompletedWithValue(1);
    assertThat(later).noneMatch(CompletableFuture::isDone);
    assertThat(asked).hasSize(2);
    asked.get(1).complete(2);
    assertThat(later).allMatch(answer -> answer.join() == 2);
    ask("a");
    assertThat(asked).as("nothing is kept").hasSize(3);
  }

  @Test
  void otherKeysDoNotWait() {
    ask("a");
    ask("b");
    assertThat(asked).hasSize(2);
  }

  @Test
  void aFailureDoesNotAffectTheNextRequest() {
    CompletableFuture<Integer> first = ask("a");
    CompletableFuture<Integer> second = ask("a");
    asked.get(0).completeExceptionally(new IllegalStateException("away"));
    assertThat(first).isCompletedExceptionally();
    asked.get(1).complete(2);
    assertThat(second).isCompletedWithValue(2);
  }

  @Test
  void aCallerThatGivesUpDoesNotAffectOthers() {
    ask("a");
    CompletableFuture<Integer> impatient = ask("a");
    CompletableFuture<Integer> patient = ask("a");
    impatient.completeExceptionally(new IllegalStateException("too late"));
    asked.get(0).complete(1);
    asked.get(1).complete(2);
    assertThat(patient).isCompletedWithValue(2);
  }

  @Test
  void aThrowingRequestFailsItsCallers() {
    SingleFlight<String, Integer> broken =
        new SingleFlight<>(
            about -> {
              throw new IllegalStateException("closed");
            });
    assertThat(broken.ask("a").toCompletableFuture()).isCompletedExceptionally();
    assertThat(broken.ask("a").toCompletableFuture()).isCompletedExceptionally();
  }
}
