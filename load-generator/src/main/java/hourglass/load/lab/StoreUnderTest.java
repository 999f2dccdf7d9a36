package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.ProgressLine;
import hourglass.store.WideColumnStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A store that a comparison may write to: it answers, and the hours of the schedule are empty. */
final class StoreUnderTest {
  private static final Duration READY_PATIENCE = Duration.ofSeconds(60);
  private static final Duration CALL_PATIENCE = Duration.ofMinutes(2);
  private static final long ASK_AGAIN_MILLIS = 200;

  private final WideColumnStore store;
  private final Set<Hour> hours;
  private final ProgressLine progress;

  /**
   * @param hours that are written, and deleted after each layout
   */
  StoreUnderTest(WideColumnStore store, Set<Hour> hours, ProgressLine progress) {
    this.store = store;
    this.hours = hours;
    this.progress = progress;
  }

  /**
   * Waits until the store answers.
   *
   * @throws LoadFailure if it does not, or an hour is not empty
   */
  void prepare() throws InterruptedException {
    progress.say("waiting for the store");
    long until = System.nanoTime() + READY_PATIENCE.toNanos();
    String trouble = trouble();
    while (!trouble.isEmpty()) {
      if (System.nanoTime() - until >= 0) {
        throw new LoadFailure("the store does not answer: " + trouble);
      }
      TimeUnit.MILLISECONDS.sleep(ASK_AGAIN_MILLIS);
      trouble = trouble();
    }
    for (Hour hour : hours) {
      if (!await(store.rows(hour)).isEmpty()) {
        throw new LoadFailure(
            "the store holds rows of %s already, which a comparison would delete: choose another --hour"
                .formatted(hour));
      }
    }
  }

  private String trouble() throws InterruptedException {
    try {
      await(store.check());
      return "";
    } catch (LoadFailure e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The nodes' own counters; empty if there are none, or no node answers. */
  Map<String, Long> nodeWrites(StoreOpener opener) throws InterruptedException {
    try {
      return await(opener.nodeWrites(store));
    } catch (LoadFailure e) {
      progress.say("without the nodes' own counters: " + e.getMessage());
      return Map.of();
    }
  }

  /** Deletes all that was written. */
  void empty() throws InterruptedException {
    progress.say("deleting what was written");
    for (Hour hour : hours) {
      await(store.drop(hour));
    }
  }

  private static <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get(CALL_PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      Throwable cause = e.getCause() == null ? e : StoreWrites.cause(e.getCause());
      throw new LoadFailure("the store failed: " + cause.getMessage());
    }
  }
}
