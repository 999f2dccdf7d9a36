package hourglass.store.embedded.rows;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rows and pages an hour has in memory, and how many of its rows have columns in no page,
 * kept as they change: to go through a hundred thousand rows for it takes too long. Thread-safe.
 */
public final class RowTally {
  private final AtomicLong allHours;
  private final AtomicInteger open = new AtomicInteger();
  private int entries;
  private boolean forgotten;

  /**
   * @param allHours the entries of all hours in memory, which these are added to
   */
  public RowTally(AtomicLong allHours) {
    this.allHours = allHours;
  }

  void rowMade() {
    add(1);
  }

  /** Records that the content of a row changed; called in order for each row. */
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

  /** Rows and pages together. */
  public synchronized int entries() {
    return entries;
  }

  /** Rows with columns in no page. */
  public int open() {
    return open.get();
  }

  /** The hour leaves memory; what still changes in it does not count. */
  synchronized void forget() {
    allHours.addAndGet(-entries);
    entries = 0;
    forgotten = true;
  }
}
