package hourglass.query.http;

import hourglass.query.http.RunningQueries.RunningQuery;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes slow queries to the log, up to ten a second. Thread-safe. */
public final class SlowQueries {
  /** The name of their log, which has a line of JSON for each. */
  public static final String LOG = "hourglass.query.SlowQueries";

  private static final Logger logger = LoggerFactory.getLogger(LOG);

  /** A person reads no more, and a log of JSON takes up to 2 KB for each. */
  private static final int LINES_PER_SECOND_MAX = 10;

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NONE = -1;

  private final long slowMillis;
  private final LongSupplier nanos;

  // Guarded by this:
  private long secondBeganNanos;
  private int linesOfSecond;
  private long leftOut;

  /**
   * Creates a log without lines.
   *
   * @param slowMillis queries that take longer are written; 0: none
   * @param nanos a monotonic clock
   */
  SlowQueries(long slowMillis, LongSupplier nanos) {
    this.slowMillis = slowMillis;
    this.nanos = nanos;
    secondBeganNanos = nanos.getAsLong();
  }

  /**
   * Writes a query that has ended, if it was slow. If earlier ones were left out because there were
   * too many within a second, the line has their number.
   */
  void ended(RunningQuery query, long tookNanos, String outcome) {
    long millis = TimeUnit.NANOSECONDS.toMillis(tookNanos);
    if (slowMillis == 0 || millis <= slowMillis) {
      return;
    }
    long leftOutBefore = takeLine();
    if (leftOutBefore == NONE) {
      return;
    }
    LoggingEventBuilder line =
        logger
            .atInfo()
            .addKeyValue("id", query.id())
            .addKeyValue("client", query.client().share())
            .addKeyValue("question", query.question())
            .addKeyValue("rows", query.reads().rows())
            .addKeyValue("bytes", query.reads().bytes())
            .addKeyValue("ms", millis)
            .addKeyValue("outcome", outcome);
    (leftOutBefore == 0 ? line : line.addKeyValue("left_out", leftOutBefore)).log("slow query");
  }

  /** Returns the number of lines left out before this one; {@link #NONE} to leave this one out. */
  private synchronized long takeLine() {
    long now = nanos.getAsLong();
    if (now - secondBeganNanos >= SECOND_NANOS) {
      secondBeganNanos = now;
      linesOfSecond = 0;
    }
    if (linesOfSecond == LINES_PER_SECOND_MAX) {
      leftOut++;
      return NONE;
    }
    linesOfSecond++;
    long before = leftOut;
    leftOut = 0;
    return before;
  }
}
