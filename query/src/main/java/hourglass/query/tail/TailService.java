package hourglass.query.tail;

import hourglass.access.Failures;
import hourglass.access.FairExecutor;
import hourglass.access.Refusal;
import hourglass.access.TypePatterns;
import hourglass.query.BadParameterException;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.loki.LogFilter;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.TimedStore;
import hourglass.store.WideColumnStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads new events once for all tails, as long as there are any. Keeps the last steps in memory for
 * tails that are slightly behind. A tail further behind reads its own steps until it catches up.
 * Thread-safe.
 */
public final class TailService {
  private static final Logger logger = LoggerFactory.getLogger(TailService.class);
  private static final long RETRY_MILLIS = 1_000;

  private final TailReader reader;
  private final TailOptions options;
  private final Executor executor;

  // Guarded by this.
  private final Deque<TailStep> steps = new ArrayDeque<>();
  private int tails;
  private boolean isPolling;
  private @Nullable TailPosition head;

  /** The last failure that was logged; empty once the head moves. */
  private String logged = "";

  /** Completes when the head moves or becomes known; fails if waiting tails must end. */
  private CompletableFuture<Void> moved = new CompletableFuture<>();

  /**
   * Creates a service.
   *
   * @param executor limits the number of threads that work
   * @param threads run the reads of steps, which wait for the store; each tail that is behind reads
   *     one step at a time
   */
  public TailService(
      WideColumnStore store,
      QueryOptions queries,
      TailOptions options,
      FairExecutor executor,
      Executor threads) {
    this(
        new TailReader(
            StoreAccess.of(
                new TimedStore(store, queries.storeTimeoutMillis()),
                // Steps have their own bounds; those of queries would refuse the same step forever.
                queries.withBounds(QueryBounds.WIDEST),
                executor.lane(""),
                threads),
            options),
        options,
        executor);
  }

  TailService(TailReader reader, TailOptions options, Executor executor) {
    this.reader = reader;
    this.options = options;
    this.executor = executor;
  }

  public TailOptions options() {
    return options;
  }

  /**
   * Begins a tail, which the caller closes. Throws {@link BadParameterException} if an expression
   * is invalid.
   *
   * @param types events of other types do not exist for the tail
   */
  public CompletionStage<Tail> begin(TailQuery query, TypePatterns types) {
    EventFilter filter = EventFilter.of(query.selection());
    return begin(
        now -> {
          TailPosition first = first(query, now);
          return CompletableFuture.completedFuture(
              new Tail(this, query.selection(), types, filter, new TailText(), first));
        });
  }

  /**
   * Begins a tail with frames for Loki's clients, each a line; see {@link #begin(TailQuery,
   * TypePatterns)}.
   *
   * @param search finds the beginning of the tail. It is called when the present is known, so that
   *     no event is lost between the two.
   */
  public CompletionStage<Tail> begin(
      Selection selection,
      TypePatterns types,
      LogFilter lines,
      Supplier<CompletionStage<TailStart>> search) {
    EventFilter filter = EventFilter.of(selection);
    return begin(
        now ->
            search
                .get()
                .thenApply(
                    start -> {
                      TailQuery query = new TailQuery(selection, start.sinceTicks(), null);
                      TailForm form = new LogFrames(lines, start.isWhole());
                      return new Tail(this, selection, types, filter, form, first(query, now));
                    }));
  }

  private CompletionStage<Tail> begin(Function<TailPosition, CompletionStage<Tail>> begin) {
    enter();
    return start()
        .thenCompose(begin)
        .whenComplete(
            (tail, failure) -> {
              if (failure != null) {
                leave();
              }
            });
  }

  private static TailPosition first(TailQuery query, TailPosition now) {
    if (query.after() != null) {
      return query.after();
    }
    Long since = query.sinceTicks();
    return since == null || since > now.name().ticks()
        ? now
        : TailPosition.before(since, now.place());
  }

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

  /** The position up to which events are read; null before the first answer. */
  synchronized @Nullable TailPosition head() {
    return head;
  }

  synchronized boolean keeps(TailPosition at) {
    return kept(at) != null;
  }

  /** Returns the step from a position; null if it is not in memory. Call with the lock held. */
  private @Nullable TailStep kept(TailPosition at) {
    return steps.stream().filter(step -> step.from().equals(at)).findFirst().orElse(null);
  }

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
   * Returns the next step from a position, once it contains anything; see {@link TailReader#step}.
   * Nothing of it is erased when the stage completes.
   */
  CompletionStage<TailStep> next(TailPosition at, boolean isAfterLate) {
    TailStep step;
    synchronized (this) {
      step = kept(at);
    }
    return step == null ? read(at, isAfterLate) : next(at, isAfterLate, step);
  }

  /**
   * Returns a step that was read, or the next step from a position if events were erased since. The
   * store may have to be asked for that; a step is not read again only because this takes long.
   */
  CompletionStage<TailStep> next(TailPosition at, boolean isAfterLate, TailStep step) {
    return reader
        .isCurrent(step)
        .thenCompose(
            isCurrent ->
                isCurrent ? CompletableFuture.completedFuture(step) : read(at, isAfterLate));
  }

  private CompletionStage<TailStep> read(TailPosition at, boolean isAfterLate) {
    TailPosition until;
    CompletableFuture<Void> next;
    synchronized (this) {
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
                    ? next(at, isAfterLate, step)
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
              ? reader.now().thenApply(now -> move(now, null))
              : reader.step(from, null, isAfterLate).thenApply(step -> move(step.to(), step));
    } catch (RuntimeException e) {
      read = CompletableFuture.failedFuture(e);
    }
    read.whenComplete((more, failure) -> later(failure, failure == null && more));
  }

  /** Moves the head. Returns true if the next step should be read at once. */
  private boolean move(TailPosition to, @Nullable TailStep by) {
    if (by != null && !by.moves()) {
      return false;
    }
    CompletableFuture<Void> waiting;
    synchronized (this) {
      head = to;
      if (by != null) {
        logged = "";
        steps.addLast(by);
        if (steps.size() > options.stepsKept()) {
          steps.removeFirst();
        }
      }
      waiting = moved;
      moved = new CompletableFuture<>();
    }
    waiting.complete(null);
    return by == null || by.more();
  }

  /**
   * Reports a failure. Tails that wait for their first position fail. Others wait, unless the
   * failure is permanent.
   */
  private void refuse(Throwable failure) {
    boolean passes = Refusal.passes(failure);
    CompletableFuture<Void> waiting;
    synchronized (this) {
      if (passes || logged.equals(failure.toString())) {
        logger.debug("tails wait: {}", failure.toString());
      } else {
        logged = failure.toString();
        logger.warn("tails cannot continue", failure);
      }
      if (passes && head != null) {
        return;
      }
      waiting = moved;
      moved = new CompletableFuture<>();
    }
    waiting.completeExceptionally(failure);
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
      refuse(Failures.cause(failure));
    }
    long millis = failure != null ? RETRY_MILLIS : more ? 0 : options.pollMillis();
    try {
      CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, executor)
          .execute(this::poll);
    } catch (RejectedExecutionException e) {
      logger.debug("tails end, since the process stops");
    }
  }
}
