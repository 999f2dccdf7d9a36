package hourglass.store.pages;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.pages.runs.PageInput;

/** The names of a page, read on first use. Not thread-safe. */
final class LazyNames {
  private final ColumnNames names;
  private final PageInput in;
  private final PageHeader header;
  private long[] ticks = new long[0];
  private long[] lsbs = new long[0];

  /** Creates names that are read from {@code in}, whose position is at the names. */
  LazyNames(ColumnNames names, PageInput in, PageHeader header) {
    this.names = names;
    this.in = in;
    this.header = header;
  }

  long[] ticks() {
    if (ticks.length == 0) {
      ticks = names.readTicks(in, header.count(), header.first(), header.last());
    }
    return ticks;
  }

  long[] lsbs() {
    if (lsbs.length == 0) {
      ticks(); // they stand before
      lsbs = names.readLsbs(in, header.count(), header.first(), header.last());
    }
    return lsbs;
  }

  /** Returns the ticks of some columns, ascending. */
  long[] ticks(int[] columns) {
    if (columns.length == header.count()) {
      return ticks();
    }
    long[] some = new long[columns.length];
    for (int i = 0; i < columns.length; i++) {
      some[i] = ticks()[columns[i]];
    }
    return some;
  }

  /** The number of the columns with a lesser name. Lower halves are read only for equal ticks. */
  int countBefore(TimeUuid name, int[] columns) {
    int low = 0;
    int high = columns.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(columns[middle], name)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBefore(int column, TimeUuid name) {
    long its = ticks()[column];
    return its == name.ticks()
        ? TimeUuid.compare(its, lsbs()[column], its, name.lsb()) < 0
        : its < name.ticks();
  }

  /** Returns some columns with their payloads, in arrays as in {@link Columns#ofPacked}. */
  Columns of(int[] columns, int[] offsets, byte[] payloads) {
    long[] someLsbs = new long[columns.length];
    for (int i = 0; i < columns.length; i++) {
      someLsbs[i] = lsbs()[columns[i]];
    }
    return Columns.ofPacked(ticks(columns), someLsbs, offsets, payloads, columns.length);
  }
}
