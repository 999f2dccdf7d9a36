package hourglass.store.embedded.codec;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;

/** Writes the names of a page; see {@link NamesLayout}. Not thread-safe. */
final class NamesWriter {
  private final Indexes indexes;
  private final NumbersWriter numbers;
  private final NameRuns runs = new NameRuns();
  private long[] values = new long[0];
  private long[] others = new long[0];

  NamesWriter(Indexes indexes, NumbersWriter numbers) {
    this.indexes = indexes;
    this.numbers = numbers;
  }

  void write(Columns columns, PageOutput out) {
    int count = columns.size();
    values = CompressedBytes.room(values, count);
    others = CompressedBytes.room(others, count);
    writeTicks(columns, out);
    for (int i = 0; i < count; i++) {
      values[i] = TimeUuid.sortable(columns.lsb(i));
    }
    if (runs.find(values, count)) {
      writeRuns(count, out);
      return;
    }
    int numbered = numbered(count);
    int kinds = kinds(numbered, count);
    out.putByte(kinds);
    if (kinds == NamesLayout.MIXED) {
      writeKinds(count, out);
    }
    split(count);
    numbers.write(values, numbered, out);
    numbers.write(others, count - numbered, out);
  }

  private void writeTicks(Columns columns, PageOutput out) {
    long before = columns.ticks(0);
    for (int i = 1; i < columns.size(); i++) {
      values[i - 1] = columns.ticks(i) - before;
      before = columns.ticks(i);
    }
    numbers.write(values, columns.size() - 1, out);
  }

  private void writeRuns(int count, PageOutput out) {
    out.putByte(NamesLayout.RUNS);
    out.putVarint(runs.count());
    for (int run = 0; run < runs.count(); run++) {
      out.putLong(runs.start(run));
    }
    indexes.write(runs.runOf(), count, runs.count(), out);
    runs.subtractStarts(values, count);
    numbers.write(values, count, out);
  }

  private int numbered(int count) {
    int numbered = 0;
    for (int i = 0; i < count; i++) {
      numbered += NamesLayout.isNumbered(values[i]) ? 1 : 0;
    }
    return numbered;
  }

  /** Divides the lower halves into numbered ones and others. */
  private void split(int count) {
    int numbered = 0;
    for (int i = 0; i < count; i++) {
      long sortable = values[i];
      if (NamesLayout.isNumbered(sortable)) {
        values[numbered++] = sortable;
      } else {
        others[i - numbered] = sortable;
      }
    }
  }

  private static int kinds(int numbered, int count) {
    if (numbered == 0) {
      return NamesLayout.OTHERS;
    }
    return numbered == count ? NamesLayout.NUMBERED : NamesLayout.MIXED;
  }

  private void writeKinds(int count, PageOutput out) {
    for (int i = 0; i < count; i++) {
      others[i] = NamesLayout.isNumbered(values[i]) ? 1 : 0;
    }
    numbers.write(others, count, out);
  }
}
