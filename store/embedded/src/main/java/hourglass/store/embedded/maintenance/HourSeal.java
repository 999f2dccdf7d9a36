package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PinnedHour;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowPart;
import java.util.ArrayList;
import java.util.List;

/** An hour that is being sealed, and stays in memory until {@link #end}. Not thread-safe. */
final class HourSeal {
  private final PinnedHour pinned;
  private final List<Row> due = new ArrayList<>();

  /** Whether all rows that are not sealed are due. */
  private boolean isQuiet = true;

  private int next;
  private boolean failed;

  /**
   * Finds the rows that are due.
   *
   * @param dueBefore the time in milliseconds since 1970 before which the last write of a quiet row
   *     was
   */
  HourSeal(PinnedHour pinned, long dueBefore) {
    this.pinned = pinned;
    for (Row row : pinned.state().rows()) {
      if (!row.content().isSealed()) {
        if (row.content().open().isEmpty() && row.lastWriteMillis() <= dueBefore) {
          due.add(row);
        } else {
          isQuiet = false;
        }
      }
    }
  }

  LoadedHour state() {
    return pinned.state();
  }

  Hour hour() {
    return pinned.state().hour();
  }

  /** Whether rows are left that were not taken. */
  boolean hasMore() {
    return next < due.size() && !failed;
  }

  /** Takes the next rows, at most so many, and until their payloads have so many bytes. */
  List<Row> take(int rowsMax, long bytesMax) {
    int from = next;
    long bytes = 0;
    while (next < due.size() && next - from < rowsMax && bytes < bytesMax) {
      bytes += payloadBytes(due.get(next++));
    }
    return due.subList(from, next);
  }

  static long payloadBytes(Row row) {
    return row.content().parts().mapToLong(RowPart::payloadBytes).sum();
  }

  void fail() {
    failed = true;
  }

  boolean hasFailed() {
    return failed;
  }

  /** Whether all rows are sealed now. */
  boolean isSealed() {
    return !failed
        && isQuiet
        && !hasMore()
        && due.stream().allMatch(row -> row.content().isSealed());
  }

  void end() {
    pinned.close();
  }
}
