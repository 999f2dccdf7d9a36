package hourglass.query.service;

import hourglass.query.scan.EventScan;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/**
 * Lines between the events of an answer that state how many of its rows are read. The first line is
 * written once rows are known, each further one when the numbers change. Used by one thread at a
 * time.
 */
final class ProgressLines {
  static final byte[] NONE = new byte[0];

  /**
   * The time between two lines: at most five a second, including the last one, which does not wait.
   */
  private static final long MILLIS = 250;

  private final CompletableFuture<Long> rows;
  private final Clock steady;
  private long asked;
  private long answered;
  private long dueMillis = Long.MIN_VALUE;

  /** The number of {@code rows} of the whole query may become known later; it never fails. */
  ProgressLines(CompletableFuture<Long> rows, Clock steady) {
    this.rows = rows;
    this.steady = steady;
  }

  /** Returns the next line; empty if none is due. */
  byte[] next(EventScan scan) {
    long millis = steady.millis();
    if (millis < dueMillis) {
      return NONE;
    }
    byte[] line = last(scan);
    if (line.length > 0) {
      dueMillis = millis + MILLIS;
    }
    return line;
  }

  /** Returns a line with the current numbers; empty if they are those of the line before. */
  byte[] last(EventScan scan) {
    long askedNow = Math.max(rows.getNow(0L), scan.rowsAsked());
    long answeredNow = scan.rowsAnswered();
    if (askedNow == asked && answeredNow == answered) {
      return NONE;
    }
    asked = askedNow;
    answered = answeredNow;
    String line =
        "{\"progress\":{\"rows_asked\":" + asked + ",\"rows_answered\":" + answered + "}}\n";
    return line.getBytes(StandardCharsets.US_ASCII);
  }
}
