package hourglass.store.pages;

import hourglass.store.Columns;

/** The names of a page, read on first use. Not thread-safe. */
final class LazyNames {
  private final Names names;
  private final PageInput in;
  private final PageHeader header;
  private long[] ticks = new long[0];
  private long[] lsbs = new long[0];

  /** The input is at the names. */
  LazyNames(Names names, PageInput in, PageHeader header) {
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

  /** The names of some columns. */
  Columns of(int[] columns) {
    return of(columns, new int[columns.length + 1], new byte[0]);
  }

  /** Some columns with their payloads, as {@link Columns#ofPacked} takes them. */
  Columns of(int[] columns, int[] offsets, byte[] payloads) {
    long[] someTicks = new long[columns.length];
    long[] someLsbs = new long[columns.length];
    for (int i = 0; i < columns.length; i++) {
      someTicks[i] = ticks()[columns[i]];
      someLsbs[i] = lsbs()[columns[i]];
    }
    return Columns.ofPacked(someTicks, someLsbs, offsets, payloads, columns.length);
  }
}
