package hourglass.query.loki.http;

import hourglass.access.Failures;
import hourglass.query.AnswerFacts;
import hourglass.query.EventQuery;
import hourglass.query.EventTaker;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.fair.QueryThread;
import hourglass.query.loki.LogFilter;
import hourglass.query.service.QueryService;
import hourglass.query.tail.TailStart;
import hourglass.store.Order;
import java.time.Clock;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lines with which a tail of Loki begins: those since its start, or the newest ones if these
 * are too many.
 *
 * @param startTicks the start of the tail
 * @param askedTicks the time of the request, before the handshake
 * @param limit the most lines; 0 if none from before the request are wanted
 */
record LokiHistory(LogFilter lines, long startTicks, long askedTicks, int limit) {
  /** The longest search. A user would wait no longer for a first line. */
  private static final long SEARCH_MILLIS = 2_000;

  Selection selection() {
    return selection(TimeRange.ALL);
  }

  private Selection selection(TimeRange range) {
    return new Selection(range, lines);
  }

  /**
   * Finds the oldest of the lines, with which the tail begins. A search that takes long ends with
   * the lines that it has found; any other failure is a failure of the tail.
   *
   * @param clock monotonic
   */
  TailStart search(QueryService on, Clock clock, QueryThread thread) {
    long end = clock.millis() + SEARCH_MILLIS;
    BooleanSupplier isLate = () -> clock.millis() > end;
    QueryService inTime =
        on.with(access -> access.until(() -> isLate.getAsBoolean() || on.gone().getAsBoolean()));
    AtomicReference<@Nullable Long> oldest = new AtomicReference<>();
    Selection selection = selection(new TimeRange(startTicks, TimeRange.ALL.toTicks()));
    EventQuery newest = new EventQuery(selection, Order.DESCENDING, limit, null);
    EventTaker taker =
        (type, columns, i) -> {
          oldest.set(columns.ticks(i));
          return true;
        };
    try {
      AnswerFacts facts = thread.until(isLate, () -> inTime.read(newest, taker, thread));
      return new TailStart(oldest.get(), facts.isComplete());
    } catch (RuntimeException e) {
      if (!isLate.getAsBoolean() || !isGivenUp(e)) {
        throw e;
      }
      return new TailStart(oldest.get(), false);
    }
  }

  private static boolean isGivenUp(Throwable failure) {
    return Failures.cause(failure) instanceof CancellationException;
  }
}
