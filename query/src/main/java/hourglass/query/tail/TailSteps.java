package hourglass.query.tail;

import hourglass.access.Failures;
import hourglass.bucketing.Ticks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Requests the steps of one tail, one at a time, and finds out whether the tail has fallen too far
 * behind the head to write them. Used by one thread at a time, except {@link #leave}.
 */
final class TailSteps {
  private final TailService service;

  private @Nullable CompletableFuture<TailStep> pending;

  /** The head of the service when {@link #pending} was requested. */
  private @Nullable TailPosition headThen;

  /** Whether the last step that was not skipped contained late events. */
  private boolean isAfterLate;

  /** Whether the tail has ever been up to date. */
  private boolean joined;

  TailSteps(TailService service) {
    this.service = service;
  }

  /**
   * Returns the step after a position, and requests it first unless that has happened. Returns null
   * until it is read, and known to contain nothing erased.
   *
   * @param begun the step that the tail writes; it is returned unless events were erased since it
   *     was read. Null if it writes none
   * @throws RuntimeException as the store failed
   */
  @Nullable TailStep take(TailPosition position, @Nullable TailStep begun) {
    CompletableFuture<TailStep> asked = pending;
    boolean isNew = asked == null;
    if (asked == null) {
      headThen = service.head();
      asked =
          (begun == null
                  ? service.next(position, isAfterLate)
                  : service.next(position, isAfterLate, begun))
              .toCompletableFuture();
      pending = asked;
    }
    if (!asked.isDone()) {
      return null;
    }
    pending = null;
    try {
      TailStep step = asked.join();
      return isNew ? step : current(position, step);
    } catch (CompletionException e) {
      throw Failures.unchecked(e);
    }
  }

  /** Returns a step that may have waited for the client; null if it must be asked for again. */
  private @Nullable TailStep current(TailPosition position, TailStep waited) {
    CompletableFuture<TailStep> again =
        service.next(position, isAfterLate, waited).toCompletableFuture();
    if (again.isDone()) {
      return again.join();
    }
    pending = again;
    return null;
  }

  /** Forgets a request. Events may be erased while its answer waits for the client. */
  void rest() {
    pending = null;
  }

  /** Calls {@code wake} once, from any thread, when a call of {@link #take} is worthwhile. */
  void whenReady(Runnable wake) {
    CompletionStage<?> asked = pending;
    if (asked == null) {
      wake.run();
    } else {
      asked.whenComplete((answer, failure) -> wake.run());
    }
  }

  /**
   * Returns the head if the tail should continue there and skip the step that it took, or null if
   * it should write the step.
   */
  @Nullable TailPosition skipTo(TailStep taken) {
    TailPosition head = service.head();
    if (head != null && hasFallenBehind(taken, head)) {
      return head;
    }
    isAfterLate = taken.kind() == TailStep.Kind.LATE;
    return null;
  }

  /**
   * Whether the tail should skip this step. Late steps are never skipped, and neither are those in
   * memory.
   */
  private boolean hasFallenBehind(TailStep taken, TailPosition head) {
    if (!isBehind(taken, head) || service.keeps(taken.from())) {
      joined = true;
      return false;
    }
    // The head may have moved far while the store was read, which no client can help.
    return joined
        && headThen != null
        && isBehind(taken, headThen)
        && taken.kind() == TailStep.Kind.IN_ORDER;
  }

  /**
   * Whether a step is too far behind the head. The lag counts from the end of the step, since a
   * step after a pause may be long.
   */
  private boolean isBehind(TailStep taken, TailPosition head) {
    long lagTicks = head.name().ticks() - taken.to().name().ticks();
    return lagTicks > service.options().lagMillis() * Ticks.PER_MILLI;
  }

  /** Tells the service that the tail has ended. Call it once, from any thread. */
  void leave() {
    service.leave();
  }
}
