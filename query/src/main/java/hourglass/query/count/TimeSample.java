package hourglass.query.count;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import java.util.ArrayList;
import java.util.List;

/**
 * A share of the time, in some pieces of each hour. The pieces of an hour are always the same, but
 * differ from those of other hours, so that of events with a rhythm neither all nor none are
 * included.
 *
 * @param share above 0, at most 1
 */
record TimeSample(double share) {
  static final TimeSample ALL = new TimeSample(1);

  private static final int PIECES = 4;

  /** Returns the parts of a range of an hour, in order. */
  List<ColumnRange> of(ColumnRange range) {
    if (share == 1) {
      return List.of(range);
    }
    long from = range.from().ticks();
    double slot = (range.to().ticks() - from) / (double) PIECES;
    List<ColumnRange> parts = new ArrayList<>();
    for (int i = 0; i < PIECES; i++) {
      double begin = from + slot * (i + fraction(from + i) * (1 - share));
      TimeUuid first = TimeUuid.first((long) begin);
      TimeUuid next = TimeUuid.first((long) (begin + slot * share));
      parts.add(new ColumnRange(first, next).intersect(range));
    }
    return parts;
  }

  /** Returns a number in {@code [0, 1)}, spread evenly over the seeds by SplitMix64. */
  private static double fraction(long seed) {
    long bits = seed * 0x9e3779b97f4a7c15L;
    bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
    return ((bits ^ (bits >>> 31)) >>> 11) * 0x1p-53;
  }
}
