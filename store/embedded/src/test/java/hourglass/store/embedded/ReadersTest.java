package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.store.UnavailableException;
import hourglass.testing.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadersTest {
  private final Readers readers = new Readers("read", 1);

  /** It could open files again that the store has closed. */
  @Test
  void closeAwaitsReadsInTheThreadsOfCallers() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread closing = new Thread(readers::close);
    CompletableFuture<Boolean> read =
        CompletableFuture.supplyAsync(
            () ->
                readers
                    .readHere(
                        () -> {
                          begun.countDown();
                          await().until(() -> mayEnd.getCount() == 0);
                          return closing.isAlive();
                        })
                    .toCompletableFuture()
                    .join());
    assertThat(begun.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    closing.start();
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    mayEnd.countDown();
    assertThat(read.get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)).as("close waits").isTrue();
    closing.join(60_000);
    assertThatThrownBy(() -> readers.readHere(() -> "too late").toCompletableFuture().join())
        .hasCauseInstanceOf(UnavailableException.class);
  }

  @Test
  void failedReadIsAFailedStage() {
    assertThatThrownBy(
            () ->
                readers
                    .readHere(
                        () -> {
                          throw new IllegalStateException("damaged");
                        })
                    .toCompletableFuture()
                    .join())
        .hasRootCauseMessage("damaged");
    readers.close();
  }
}
