package hourglass.load.lab;

import hourglass.access.Failures;
import hourglass.access.Refusal;
import hourglass.bucketing.Hour;
import hourglass.command.ProgressLine;
import hourglass.load.client.Backoff;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.Nanos;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.WideColumnStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A store that answers and has no events in the hours of the schedule. Writes are thread-safe. */
record StoreUnderTest(
    WideColumnStore store,
    Set<Hour> hours,
    Duration writePatience,
    Nanos nanos,
    ProgressLine progress) {
  private static final Duration READY_PATIENCE = Duration.ofSeconds(60);
  private static final Duration CALL_PATIENCE = Duration.ofMinutes(2);
  private static final long ASK_AGAIN_MILLIS = 200;

  /** Waits until the store answers. Fails if an hour is not empty. */
  void prepare() throws InterruptedException {
    progress.say("waiting for the store");
    long until = nanos.now() + READY_PATIENCE.toNanos();
    while (!answers(nanos.now() - until >= 0)) {
      TimeUnit.MILLISECONDS.sleep(ASK_AGAIN_MILLIS);
    }
    for (Hour hour : hours) {
      if (!await(store.rows(hour)).isEmpty()) {
        throw new LoadFailure(
            "the store holds rows of %s already, which a comparison would delete: choose another --hour"
                .formatted(hour));
      }
    }
  }

  private boolean answers(boolean isLate) throws InterruptedException {
    try {
      await(store.check());
      return true;
    } catch (LoadFailure e) {
      if (isLate) {
        throw new LoadFailure("the store does not answer: " + e.getMessage());
      }
      return false;
    }
  }

  /** Returns the nodes' own counters, or an empty map if there are none or no node answers. */
  Map<String, Long> nodeWrites(StoreOpener opener) throws InterruptedException {
    try {
      return await(opener.nodeWrites(store));
    } catch (LoadFailure e) {
      progress.say("without the nodes' own counters: " + e.getMessage());
      return Map.of();
    }
  }

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
      throw new LoadFailure("the store failed: " + Failures.cause(e).getMessage());
    }
  }

  /**
   * Writes rows, and repeats the write if the store is overloaded or unavailable, which is safe
   * because every write is an upsert. Fails with the failure of the last attempt.
   */
  CompletionStage<Void> write(List<Mutation> mutations) {
    return attempt(mutations, nanos.now() + writePatience.toNanos(), 0);
  }

  private CompletionStage<Void> attempt(List<Mutation> mutations, long untilNanos, int attempt) {
    return store
        .write(mutations)
        .exceptionallyCompose(
            failure -> again(mutations, untilNanos, attempt, Failures.cause(failure)));
  }

  private CompletionStage<Void> again(
      List<Mutation> mutations, long untilNanos, int attempt, Throwable failure) {
    if (!Refusal.passes(failure) || nanos.now() - untilNanos >= 0) {
      return CompletableFuture.failedFuture(failure);
    }
    long asked =
        failure instanceof OverloadedException overloaded
            ? Math.min(overloaded.retryAfter().toMillis(), LoadLimits.RETRY_AFTER_MILLIS_MAX)
            : -1;
    Executor later =
        CompletableFuture.delayedExecutor(Backoff.millis(attempt, asked), TimeUnit.MILLISECONDS);
    return CompletableFuture.runAsync(() -> {}, later)
        .thenCompose(waited -> attempt(mutations, untilNanos, attempt + 1));
  }
}
