package hourglass.store.embedded.rows;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the rows and pages of an hour in memory, and its rows with columns in no page. The counts
 * follow each change, as a pass over a hundred thousand rows takes too long. Thread-safe.
 */
public final class RowTally {
  private final AtomicLong allHours;
  private final AtomicInteger open = new AtomicInteger();
  private int entries;
  private boolean forgotten;

  /**
   * Creates the counts of an hour.
   *
   * @param allHours the entries of all hours in memory, including these
   */
  public RowTally(AtomicLong allHours) {
    this.allHours = allHours;
  }

  void rowMade() {
    add(1);
  }

  /** Counts a change of a row's content; called in order for each row. */
  void changed(RowContent before, RowContent after) {
    if (before.open().isEmpty() != after.open().isEmpty()) {
      open.addAndGet(after.open().isEmpty() ? -1 : 1);
    }
    int pages = after.pages().size() - before.pages().size();
    if (pages != 0) {
      add(pages);
    }
  }

  private synchronized void add(int count) {
    if (!forgotten) {
      entries += count;
      allHours.addAndGet(count);
    }
  }

  /** Rows and pages in memory. */
  public synchronized int entries() {
    return entries;
  }

  /** Rows with columns in no page. */
  public int open() {
    return open.get();
  }

  /** Removes the counts of an evicted hour; later changes do not count. */
  synchronized void forget() {
    allHours.addAndGet(-entries);
    entries = 0;
    forgotten = true;
  }
}
