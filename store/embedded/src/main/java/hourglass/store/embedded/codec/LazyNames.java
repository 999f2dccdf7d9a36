package hourglass.store.embedded.codec;

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
    read();
    return ticks;
  }

  long[] lsbs() {
    read();
    return lsbs;
  }

  private void read() {
    if (ticks.length == 0) {
      ticks = names.readTicks(in, header.count(), header.first(), header.last());
      lsbs = names.readLsbs(in, header.count(), header.first(), header.last());
    }
  }
}
