package hourglass.store.embedded.codec;

import hourglass.bucketing.TimeUuid;
import hourglass.store.CorruptException;

/** Reads the names of a page; see {@link NamesLayout}. Not thread-safe. */
final class NamesReader {
  private static final String TICKS = "ticks";
  private static final String LOWER_HALVES = "lower halves";

  private final Indexes indexes;
  private final NumbersReader numbers;
  private long[] scratch = new long[0];

  NamesReader(Indexes indexes, NumbersReader numbers) {
    this.indexes = indexes;
    this.numbers = numbers;
  }

  /** Reads the ticks of all names. */
  long[] readTicks(PageInput in, PageHeader header) {
    int count = header.count();
    scratch = CompressedBytes.room(scratch, count);
    numbers.read(in, TICKS, scratch, count - 1);
    long[] ticks = new long[count];
    ticks[0] = header.first().ticks();
    for (int i = 1; i < count; i++) {
      ticks[i] = ticks[i - 1] + scratch[i - 1];
      if (ticks[i] < ticks[i - 1]) {
        throw new CorruptException("page: ticks: name " + i + " does not ascend");
      }
    }
    if (ticks[count - 1] != header.last().ticks()) {
      throw new CorruptException("page: ticks: the last name is not the header's");
    }
    return ticks;
  }

  /** Reads the lower halves of all names, after their ticks. */
  long[] readLsbs(PageInput in, PageHeader header) {
    int count = header.count();
    long[] lsbs = new long[count];
    int kinds = in.getByte();
    switch (kinds) {
      case NamesLayout.NUMBERED, NamesLayout.OTHERS -> numbers.read(in, LOWER_HALVES, lsbs, count);
      case NamesLayout.MIXED -> readMixed(in, lsbs, count);
      case NamesLayout.RUNS -> readRuns(in, lsbs, count);
      default -> throw new CorruptException("page: names of kinds " + kinds + " are unknown");
    }
    for (int i = 0; i < count; i++) {
      lsbs[i] = TimeUuid.sortable(lsbs[i]);
    }
    if (lsbs[0] != header.first().lsb() || lsbs[count - 1] != header.last().lsb()) {
      throw new CorruptException("page: lower halves: first and last are not the header's");
    }
    return lsbs;
  }

  private void readMixed(PageInput in, long[] lsbs, int count) {
    numbers.read(in, LOWER_HALVES, lsbs, count);
    int numbered = 0;
    for (int i = 0; i < count; i++) {
      if (lsbs[i] < 0 || lsbs[i] > 1) {
        throw new CorruptException("page: name " + i + " is of kind " + lsbs[i]);
      }
      numbered += (int) lsbs[i];
    }
    // Numbered ones first, then the others, in one array.
    long[] values = new long[count - numbered];
    numbers.read(in, LOWER_HALVES, scratch, numbered);
    numbers.read(in, LOWER_HALVES, values, count - numbered);
    for (int i = 0, next = 0; i < count; i++) {
      lsbs[i] = lsbs[i] == 1 ? scratch[next++] : values[i - next];
    }
  }

  private void readRuns(PageInput in, long[] lsbs, int count) {
    int runs = in.getCountFrom1("runs of lower halves", NamesLayout.RUNS_MAX);
    long[] starts = new long[runs];
    for (int run = 0; run < runs; run++) {
      starts[run] = in.getLong();
    }
    byte[] runOf = indexes.read(in, LOWER_HALVES, count, runs);
    numbers.read(in, LOWER_HALVES, lsbs, count);
    for (int i = 0; i < count; i++) {
      lsbs[i] += starts[runOf[i] & 0xff];
    }
  }
}
