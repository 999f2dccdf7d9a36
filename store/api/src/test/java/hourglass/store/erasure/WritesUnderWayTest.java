package hourglass.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WritesUnderWayTest {
  private final WritesUnderWay writes = new WritesUnderWay();

  private CompletableFuture<Void> begin() {
    CompletableFuture<Void> write = new CompletableFuture<>();
    var unused = writes.run(() -> write);
    return write;
  }

  private CompletableFuture<Void> ended() {
    return writes.ended().toCompletableFuture();
  }

  @Test
  void withoutWritesThereIsNothingToWaitFor() {
    assertThat(ended()).isCompleted();
  }

  @Test
  void allWritesThatBeganBeforeAreAwaitedAndNoOthers() {
    CompletableFuture<Void> a = begin();
    CompletableFuture<Void> b = begin();
    CompletableFuture<Void> first = ended();
    CompletableFuture<Void> c = begin();
    CompletableFuture<Void> second = ended();
    a.complete(null);
    assertThat(first).isNotDone();
    b.completeExceptionally(new IllegalStateException("failed"));
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    c.complete(null);
    assertThat(second).isCompleted();
  }

  @Test
  void aSecondMomentWaitsForWritesOfTheFirstToo() {
    CompletableFuture<Void> slow = begin();
    CompletableFuture<Void> first = ended();
    CompletableFuture<Void> second = ended();
    assertThat(second).isNotDone();
    slow.complete(null);
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
  }

  @Test
  void aWriteThatThrowsHasEnded() {
    var failed =
        writes.run(
            () -> {
              throw new IllegalStateException("refused");
            });
    assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
    assertThat(ended()).isCompleted();
  }
}
