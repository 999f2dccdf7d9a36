package hourglass.store;

import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ranges that contain the lower halves of all names in a set of columns. Two sets whose ranges do
 * not overlap have no name in common. Immutable.
 *
 * <p>Generated names have consecutive numbers, so each push fills a range of its own. Names made
 * from hashes fill one range that overlaps all others.
 *
 * @param bounds the first and last number of each range, ascending without overlap: signed numbers
 *     in the order of names. Must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // a compact value, never compared whole
public record NameRanges(long[] bounds) {
  /**
   * The greatest number of ranges; enough, since a page contains parts of only a few pushes that
   * were split over several pages.
   */
  public static final int RANGES_MAX = 16;

  /**
   * The least ratio of a gap between ranges to the mean gap. Neighbours within a push are closer
   * together. The largest of some thousand random gaps is below it too.
   */
  private static final int GAP_TO_MEAN_MIN = 16;

  /** Returns the ranges of at least one column. */
  public static NameRanges of(Columns columns) {
    long[] numbers = new long[columns.size()];
    boolean ascending = true;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(columns.lsb(i));
      ascending &= i == 0 || numbers[i - 1] <= numbers[i];
    }
    if (!ascending) {
      Arrays.sort(numbers);
    }
    return cut(numbers, 1, RANGES_MAX);
  }

  public static NameRanges of(TimeUuid name) {
    long number = number(name.lsb());
    return new NameRanges(new long[] {number, number});
  }

  /** Returns the ranges of all sets together; {@code all} has at least one element. */
  public static NameRanges union(List<NameRanges> all, int rangesMax) {
    if (all.size() == 1) {
      return all.get(0);
    }
    List<Range> sorted = sorted(all);
    long[] bounds = new long[2 * sorted.size()];
    int size = 0;
    for (Range range : sorted) {
      if (size > 0 && range.from <= bounds[size - 1]) {
        bounds[size - 1] = Math.max(bounds[size - 1], range.to);
      } else {
        bounds[size++] = range.from;
        bounds[size++] = range.to;
      }
    }
    return cut(Arrays.copyOf(bounds, size), 2, rangesMax);
  }

  /**
   * Returns the indexes of the sets that may have a name in common with another set.
   *
   * @param all null for each set whose ranges are unknown
   */
  public static BitSet sharing(List<@Nullable NameRanges> all) {
    BitSet sharing = new BitSet(all.size());
    if (all.size() > 1 && all.stream().anyMatch(Objects::isNull)) {
      sharing.set(0, all.size());
      return sharing;
    }
    Range reaching = null;
    for (Range range : sorted(all)) {
      if (reaching != null && range.from <= reaching.to) {
        sharing.set(reaching.set);
        sharing.set(range.set);
      }
      reaching = reaching == null || range.to > reaching.to ? range : reaching;
    }
    return sharing;
  }

  /** Whether a name may be in both sets. */
  public boolean mayShareWith(NameRanges other) {
    long[] theirs = other.bounds;
    for (int i = 0, j = 0; i < bounds.length && j < theirs.length; ) {
      if (bounds[i + 1] < theirs[j]) {
        i += 2;
      } else if (theirs[j + 1] < bounds[i]) {
        j += 2;
      } else {
        return true;
      }
    }
    return false;
  }

  /** Whether a generator numbered all the names, so that no retry ever writes one of them again. */
  public boolean areGenerated() {
    return bounds[bounds.length - 1] <= number(TimeUuidGenerator.lsb(-1));
  }

  private record Range(long from, long to, int set) {}

  private static List<Range> sorted(List<? extends @Nullable NameRanges> all) {
    List<Range> ranges = new ArrayList<>(all.size());
    for (int set = 0; set < all.size(); set++) {
      NameRanges of = all.get(set);
      for (int i = 0; of != null && i < of.bounds.length; i += 2) {
        ranges.add(new Range(of.bounds[i], of.bounds[i + 1], set));
      }
    }
    ranges.sort(Comparator.comparingLong(Range::from));
    return ranges;
  }

  /**
   * Cuts ascending numbers into ranges, at the widest gaps.
   *
   * @param step 1 for single numbers, 2 for bounds of ranges
   */
  private static NameRanges cut(long[] numbers, int step, int rangesMax) {
    long[] widest = new long[Math.max(1, rangesMax - 1)]; // ascending
    double span = 0;
    int gaps = 0;
    for (int i = step; i < numbers.length; i += step) {
      long gap = gap(numbers, i);
      span += gap;
      gaps++;
      if (gap > widest[0]) {
        int at = Arrays.binarySearch(widest, gap);
        at = at < 0 ? -at - 2 : at;
        System.arraycopy(widest, 1, widest, 0, at);
        widest[at] = gap;
      }
    }
    for (long gap : widest) {
      span -= gap;
    }
    double mean = span / Math.max(1, gaps - widest.length);
    long[] bounds = new long[2 * rangesMax];
    int size = 0;
    bounds[size++] = numbers[0];
    for (int i = step; i < numbers.length && size < bounds.length - 1; i += step) {
      long gap = gap(numbers, i);
      if (gap > 1 && gap >= widest[0] && (step > 1 || gap >= GAP_TO_MEAN_MIN * mean)) {
        bounds[size++] = numbers[i - 1];
        bounds[size++] = numbers[i];
      }
    }
    bounds[size++] = numbers[numbers.length - 1];
    return new NameRanges(Arrays.copyOf(bounds, size));
  }

  /**
   * The distance to the previous number, capped because the difference of two numbers may overflow.
   */
  private static long gap(long[] numbers, int i) {
    long gap = numbers[i] - numbers[i - 1];
    return gap < 0 ? Long.MAX_VALUE : gap;
  }

  private static long number(long lsb) {
    return TimeUuid.sortable(lsb) ^ Long.MIN_VALUE;
  }
}
