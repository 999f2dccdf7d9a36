package hourglass.query.tail;

import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads new events from the store once for all tails of a process, while there are any. The last
 * steps are kept for tails slightly behind. A tail further behind reads steps of its own until it
 * catches up. Thread-safe.
 */
final class TailFeed {
  private static final Logger log = LoggerFactory.getLogger(TailFeed.class);
  private static final long RETRY_MILLIS = 1_000;

  private final TailReader reader;
  private final TailOptions options;
  private final Executor executor;

  // Guarded by this.
  private final Deque<TailStep> steps = new ArrayDeque<>();
  private int tails;
  private boolean isPolling;
  private @Nullable TailPosition head;

  /** The last logged failure; empty once the feed moves again. */
  private String told = "";

  /** Completed when the head moves or is first known; fails if waiting tails must end. */
  private CompletableFuture<Void> moved = new CompletableFuture<>();

  TailFeed(TailReader reader, TailOptions options, Executor executor) {
    this.reader = reader;
    this.options = options;
    this.executor = executor;
  }

  /** Adds a tail, and starts polling unless it runs already. */
  synchronized void enter() {
    tails++;
    if (!isPolling) {
      isPolling = true;
      poll();
    }
  }

  synchronized void leave() {
    tails--;
  }

  /** The position of the common feed; null before its first answer. */
  synchronized @Nullable TailPosition head() {
    return head;
  }

  /** Whether the step after a position is in memory. */
  synchronized boolean keeps(TailPosition at) {
    return kept(at) != null;
  }

  /** The step in memory after a position; null if there is none. Call with the lock held. */
  private @Nullable TailStep kept(TailPosition at) {
    for (TailStep step : steps) {
      if (step.from().equals(at)) {
        return step;
      }
    }
    return null;
  }

  /** Waits for the first position of the common feed. */
  CompletionStage<TailPosition> start() {
    CompletableFuture<Void> next;
    synchronized (this) {
      if (head != null) {
        return CompletableFuture.completedFuture(head);
      }
      next = moved;
    }
    return next.thenComposeAsync(any -> start(), executor);
  }

  /**
   * The step after a position; completes once it has anything to deliver.
   *
   * @param isAfterLate see {@link TailReader#step}
   */
  CompletionStage<TailStep> next(TailPosition at, boolean isAfterLate) {
    TailPosition until;
    CompletableFuture<Void> next;
    synchronized (this) {
      TailStep step = kept(at);
      if (step != null) {
        return CompletableFuture.completedFuture(step);
      }
      until = head;
      next = moved;
    }
    if (until == null || until.equals(at)) {
      return next.thenComposeAsync(any -> next(at, isAfterLate), executor);
    }
    return reader
        .step(at, until, isAfterLate)
        .thenCompose(
            step ->
                step.moves()
                    ? CompletableFuture.completedFuture(step)
                    : next.thenComposeAsync(any -> next(at, isAfterLate), executor));
  }

  private void poll() {
    TailPosition from;
    boolean isAfterLate;
    synchronized (this) {
      from = head;
      TailStep last = steps.peekLast();
      isAfterLate = last != null && last.kind() == TailStep.Kind.LATE;
    }
    CompletionStage<Boolean> read;
    try {
      read =
          from == null
              ? reader.now().thenApply(this::begin)
              : reader.step(from, null, isAfterLate).thenApply(this::add);
    } catch (RuntimeException e) {
      read = CompletableFuture.failedFuture(e);
    }
    read.whenComplete((more, failure) -> later(failure, failure == null && more));
  }

  private boolean begin(TailPosition now) {
    move(now, null);
    return true;
  }

  /** Adds a step; true if the next one should be read at once. */
  private boolean add(TailStep step) {
    if (!step.moves()) {
      return false;
    }
    move(step.to(), step);
    return step.more();
  }

  private void move(TailPosition to, @Nullable TailStep by) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      head = to;
      if (by != null) {
        told = "";
        steps.addLast(by);
        if (steps.size() > options.stepsKept()) {
          steps.removeFirst();
        }
      }
      waiting = moved;
      moved = new CompletableFuture<>();
    }
    waiting.complete(null);
  }

  /**
   * Handles a failed read. Tails that wait for their first position fail. Others wait until the
   * store recovers, unless the failure is permanent.
   */
  private void refuse(Throwable failure) {
    boolean passes = passes(failure);
    CompletableFuture<Void> waiting;
    synchronized (this) {
      if (passes || told.equals(failure.toString())) {
        log.debug("tails wait: {}", failure.toString());
      } else {
        told = failure.toString();
        log.warn("tails cannot go on", failure);
      }
      if (passes && head != null) {
        return;
      }
      waiting = moved;
      moved = new CompletableFuture<>();
    }
    waiting.completeExceptionally(failure);
  }

  private static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static boolean passes(Throwable failure) {
    return failure instanceof UnavailableException
        || failure instanceof OverloadedException
        || failure instanceof TimeoutException
        || failure instanceof RejectedExecutionException;
  }

  private void later(@Nullable Throwable failure, boolean more) {
    synchronized (this) {
      if (tails == 0) {
        isPolling = false;
        steps.clear();
        head = null;
        return;
      }
    }
    if (failure != null) {
      refuse(cause(failure));
    }
    long millis = failure != null ? RETRY_MILLIS : more ? 0 : options.pollMillis();
    try {
      CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, executor)
          .execute(this::poll);
    } catch (RejectedExecutionException e) {
      log.debug("tails end: the process does");
    }
  }
}
