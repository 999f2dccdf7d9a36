package hourglass.store.pages;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageInput;
import hourglass.store.pages.runs.PageOutput;

/**
 * The names of columns. The reader must know their count, the first and the last. Not thread-safe.
 *
 * <pre>
 *   +---------------------+--------+------------------+-------------------+--------------------+
 *   | ticks after the     | kinds  | which are        | numbers of the    | the others' lower  |
 *   | first name's        | 1      | NUMBERED, where  | NUMBERED ones     | halves             |
 *   |                     |        | MIXED            |                   |                    |
 *   +---------------------+--------+------------------+-------------------+--------------------+
 *     each but kinds a run of numbers, see {@link NumberRuns}
 *
 *   +---------------------+--------+------------------+-------------------+--------------------+
 *   | ticks, as above     | RUNS 1 | runs varint,     | run of each:      | each less its      |
 *   |                     |        | start of each 8  | {@link Indexes}   | start: numbers     |
 *   +---------------------+--------+------------------+-------------------+--------------------+
 * </pre>
 *
 * A lower half is stored as the unsigned number that it compares as ({@link TimeUuid#sortable}).
 * Generated names have a sequence number there, below 2^60, so each predicts the next. Others are
 * hashes or foreign. RUNS is for the names of a request or partition.
 */
final class ColumnNames {
  private static final int NUMBERED = 0;

  private static final int OTHERS = 1;

  /** The kind of a page with both; numbers mark each NUMBERED name with a 1. */
  private static final int MIXED = 2;

  private static final int RUNS = 3;

  /**
   * The end of the range of lower halves of generated names. In sortable form, the lower halves of
   * all other names are at or above it.
   */
  private static final long NUMBERED_END = 1L << 60;

  private static final String LOWER_HALVES = "lower halves";

  private final CompressedBytes frames;
  private final NumberRuns numbers;
  private final NameRuns runs = new NameRuns();
  private long[] values = new long[0];
  private long[] others = new long[0];

  ColumnNames(CompressedBytes frames, NumberRuns numbers) {
    this.frames = frames;
    this.numbers = numbers;
  }

  void write(Columns columns, PageOutput out) {
    int count = columns.size();
    values = CompressedBytes.room(values, count);
    others = CompressedBytes.room(others, count);
    for (int i = 1; i < count; i++) {
      values[i - 1] = columns.ticks(i) - columns.ticks(i - 1);
    }
    numbers.write(values, count - 1, out);
    int numbered = 0;
    for (int i = 0; i < count; i++) {
      values[i] = TimeUuid.sortable(columns.lsb(i));
      numbered += isNumbered(values[i]) ? 1 : 0;
    }
    if (runs.find(values, count)) {
      writeRuns(count, out);
    } else {
      writeKinds(numbered, count, out);
    }
  }

  private void writeRuns(int count, PageOutput out) {
    out.putByte(RUNS);
    out.putVarint(runs.count());
    for (int run = 0; run < runs.count(); run++) {
      out.putLong(runs.start(run));
    }
    Indexes.write(runs.runOf(), count, runs.count(), frames, out);
    runs.subtractStarts(values, count);
    numbers.write(values, count, out);
  }

  private void writeKinds(int numbered, int count, PageOutput out) {
    if (numbered == 0 || numbered == count) {
      out.putByte(numbered == 0 ? OTHERS : NUMBERED);
    } else {
      out.putByte(MIXED);
      for (int i = 0; i < count; i++) {
        others[i] = isNumbered(values[i]) ? 1 : 0;
      }
      numbers.write(others, count, out);
    }
    int next = 0;
    for (int i = 0; i < count; i++) {
      long sortable = values[i];
      if (isNumbered(sortable)) {
        values[next++] = sortable;
      } else {
        others[i - next] = sortable;
      }
    }
    numbers.write(values, numbered, out);
    numbers.write(others, count - numbered, out);
  }

  private static boolean isNumbered(long sortable) {
    return sortable >= 0 && sortable < NUMBERED_END;
  }

  /** Moves the input after the names, most of which are not read. */
  void pass(PageInput in, int count) {
    numbers.skip(in, "ticks", count - 1);
    int kinds = in.getByte();
    switch (kinds) {
      case NUMBERED, OTHERS -> numbers.skip(in, LOWER_HALVES, count);
      case MIXED -> readMixed(in, new long[count], count);
      case RUNS -> {
        int runCount = in.getCountFrom1("runs of lower halves", NameRuns.RUNS_MAX);
        in.skip(runCount * Long.BYTES);
        Indexes.skip(frames, in, LOWER_HALVES, count, runCount);
        numbers.skip(in, LOWER_HALVES, count);
      }
      default -> throw new CorruptException("page: names of kinds " + kinds + " are unknown");
    }
  }

  long[] readTicks(PageInput in, int count, TimeUuid first, TimeUuid last) {
    values = CompressedBytes.room(values, count);
    numbers.read(in, "ticks", values, count - 1);
    long[] ticks = new long[count];
    ticks[0] = first.ticks();
    for (int i = 1; i < count; i++) {
      ticks[i] = ticks[i - 1] + values[i - 1];
      if (ticks[i] < ticks[i - 1]) {
        throw new CorruptException("page: ticks: name " + i + " does not ascend");
      }
    }
    if (ticks[count - 1] != last.ticks()) {
      throw new CorruptException("page: ticks: the last name is not the header's");
    }
    return ticks;
  }

  long[] readLsbs(PageInput in, int count, TimeUuid first, TimeUuid last) {
    long[] lsbs = new long[count];
    int kinds = in.getByte();
    switch (kinds) {
      case NUMBERED, OTHERS -> numbers.read(in, LOWER_HALVES, lsbs, count);
      case MIXED -> readMixed(in, lsbs, count);
      case RUNS -> readRuns(in, lsbs, count);
      default -> throw new CorruptException("page: names of kinds " + kinds + " are unknown");
    }
    for (int i = 0; i < count; i++) {
      lsbs[i] = TimeUuid.sortable(lsbs[i]);
    }
    if (lsbs[0] != first.lsb() || lsbs[count - 1] != last.lsb()) {
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
    values = CompressedBytes.room(values, numbered);
    others = CompressedBytes.room(others, count - numbered);
    numbers.read(in, LOWER_HALVES, values, numbered);
    numbers.read(in, LOWER_HALVES, others, count - numbered);
    for (int i = 0, next = 0; i < count; i++) {
      lsbs[i] = lsbs[i] == 1 ? values[next++] : others[i - next];
    }
  }

  private void readRuns(PageInput in, long[] lsbs, int count) {
    int runCount = in.getCountFrom1("runs of lower halves", NameRuns.RUNS_MAX);
    long[] starts = new long[runCount];
    for (int run = 0; run < runCount; run++) {
      starts[run] = in.getLong();
    }
    byte[] runOf = Indexes.read(frames, in, LOWER_HALVES, count, runCount);
    numbers.read(in, LOWER_HALVES, lsbs, count);
    for (int i = 0; i < count; i++) {
      lsbs[i] += starts[runOf[i] & 0xff];
    }
  }
}
