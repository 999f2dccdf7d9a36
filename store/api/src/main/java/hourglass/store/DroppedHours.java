package hourglass.store;

import hourglass.bucketing.Hour;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Hours whose events were dropped, so that answers about them can say so. Immutable.
 *
 * @param ranges sorted; no two of them touch; at most {@link #RANGES_MAX}
 */
public record DroppedHours(List<Range> ranges) {
  public static final DroppedHours NONE = new DroppedHours(List.of());

  /**
   * The most ranges that are kept. Drops of the oldest hours make few ranges, and 10,000 are more
   * than a year of hours of which every second one was dropped. Beyond it, the two ranges with the
   * smallest gap become one, with the hours between them: an answer may then say of an hour that it
   * was dropped although it was not, which is better than the opposite.
   */
  public static final int RANGES_MAX = 10_000;

  /** The most ranges that an answer names; one more entry counts the others. */
  private static final int NAMED_MAX = 100;

  /** The hours {@code [from, to]}, both included. */
  public record Range(Hour from, Hour to) {
    public Range {
      if (from.compareTo(to) > 0) {
        throw new IllegalArgumentException("range of hours: " + from + " > " + to);
      }
    }

    /** Returns {@code 2026-11-20T08}, or {@code 2026-11-20T08..2026-11-20T11} of several hours. */
    @Override
    public String toString() {
      return from.equals(to) ? from.toString() : from + ".." + to;
    }

    private int gapTo(Range later) {
      return later.from.epochHours() - to.epochHours();
    }
  }

  public DroppedHours {
    ranges = List.copyOf(ranges);
  }

  public static DroppedHours of(Collection<Hour> hours) {
    return of(
        new TreeSet<>(hours).stream().map(hour -> new Range(hour, hour)).toList(), RANGES_MAX);
  }

  /** Joins ranges in any order. */
  static DroppedHours of(Collection<Range> ranges, int rangesMax) {
    List<Range> joined = new ArrayList<>();
    for (Range range : ranges.stream().sorted(Comparator.comparing(Range::from)).toList()) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).gapTo(range) <= 1) {
        joined.set(last, joined(joined.get(last), range));
      } else {
        joined.add(range);
      }
    }
    while (joined.size() > rangesMax) {
      joinClosest(joined);
    }
    return new DroppedHours(joined);
  }

  private static Range joined(Range a, Range b) {
    return new Range(a.from(), a.to().compareTo(b.to()) > 0 ? a.to() : b.to());
  }

  private static void joinClosest(List<Range> ranges) {
    int closest =
        IntStream.range(0, ranges.size() - 1)
            .boxed()
            .min(Comparator.comparing(i -> ranges.get(i).gapTo(ranges.get(i + 1))))
            .orElseThrow();
    Range later = ranges.remove(closest + 1);
    ranges.set(closest, joined(ranges.get(closest), later));
  }

  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  public boolean contains(Hour hour) {
    return !within(hour, hour).isEmpty();
  }

  /** Returns these hours and others. */
  public DroppedHours and(DroppedHours others) {
    if (others.isEmpty() || isEmpty()) {
      return isEmpty() ? others : this;
    }
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(others.ranges);
    return of(all, RANGES_MAX);
  }

  /** Returns those of the hours in {@code [from, to]}, both included. */
  public DroppedHours within(Hour from, Hour to) {
    return new DroppedHours(
        ranges.stream()
            .filter(range -> range.to().compareTo(from) >= 0 && range.from().compareTo(to) <= 0)
            .map(
                range ->
                    new Range(
                        range.from().compareTo(from) < 0 ? from : range.from(),
                        range.to().compareTo(to) > 0 ? to : range.to()))
            .toList());
  }

  /** Returns the ranges as texts for an answer; of very many, the first 100 and a count. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    ranges.stream().limit(NAMED_MAX).forEach(range -> names.add(range.toString()));
    if (ranges.size() > NAMED_MAX) {
      names.add("and " + (ranges.size() - NAMED_MAX) + " others");
    }
    return names;
  }
}
