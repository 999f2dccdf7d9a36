package hourglass.store;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Hours whose events were dropped, of all types or of single ones, so that answers about them can
 * say so. Immutable.
 *
 * @param ranges sorted; no two of them touch; at most {@link #RANGES_MAX}
 * @param types sorted by hour and type; none of an hour in the ranges; at most {@link #TYPES_MAX}
 */
public record DroppedHours(List<Range> ranges, List<TypeHour> types) {
  public static final DroppedHours NONE = new DroppedHours(List.of(), List.of());

  private static final Comparator<TypeHour> BY_HOUR =
      Comparator.comparing(TypeHour::hour).thenComparing(TypeHour::type, EventType::compare);

  /**
   * The most ranges that are kept. Drops of the oldest hours make few ranges, and 10,000 are more
   * than a year of hours of which every second one was dropped. Beyond it, the two ranges with the
   * smallest gap become one, with the hours between them: an answer may then say of an hour that it
   * was dropped although it was not, which is better than the opposite.
   */
  public static final int RANGES_MAX = 10_000;

  /** The most types of single hours that are kept. Beyond it, the oldest count as whole hours. */
  public static final int TYPES_MAX = 10_000;

  /** The most entries of an answer; one more entry counts the others. */
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
    types = List.copyOf(types);
  }

  public static DroppedHours of(Collection<Hour> hours) {
    List<Range> ranges = new TreeSet<>(hours).stream().map(hour -> new Range(hour, hour)).toList();
    return new DroppedHours(joined(ranges, RANGES_MAX), List.of());
  }

  public static DroppedHours of(Range range) {
    return new DroppedHours(List.of(range), List.of());
  }

  public static DroppedHours of(TypeHour typeHour) {
    return new DroppedHours(List.of(), List.of(typeHour));
  }

  /** Returns all hours and types of some. */
  public static DroppedHours union(Collection<DroppedHours> some) {
    return union(some, RANGES_MAX, TYPES_MAX);
  }

  static DroppedHours union(Collection<DroppedHours> some, int rangesMax, int typesMax) {
    List<Range> ranges = new ArrayList<>();
    TreeSet<TypeHour> types = new TreeSet<>(BY_HOUR);
    some.forEach(
        each -> {
          ranges.addAll(each.ranges);
          types.addAll(each.types);
        });
    while (types.size() > typesMax) {
      Hour oldest = types.first().hour();
      ranges.add(new Range(oldest, oldest));
      types.removeIf(each -> each.hour().equals(oldest));
    }
    DroppedHours whole = new DroppedHours(joined(ranges, rangesMax), List.of());
    types.removeIf(each -> whole.contains(each.hour()));
    return new DroppedHours(whole.ranges, List.copyOf(types));
  }

  /** Joins ranges in any order. */
  private static List<Range> joined(Collection<Range> ranges, int rangesMax) {
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
    return joined;
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
    return ranges.isEmpty() && types.isEmpty();
  }

  /** Whether an hour was dropped whole. */
  public boolean contains(Hour hour) {
    int low = 0;
    int high = ranges.size();
    while (low < high) { // finds the first range that ends at the hour or later
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).to().compareTo(hour) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < ranges.size() && ranges.get(low).from().compareTo(hour) <= 0;
  }

  /** Whether all that these name is dropped by others too. */
  public boolean isWithin(DroppedHours others) {
    return isEmpty() || others.and(this).equals(others);
  }

  /** Returns these hours and others. */
  public DroppedHours and(DroppedHours others) {
    if (others.isEmpty() || isEmpty()) {
      return isEmpty() ? others : this;
    }
    return union(List.of(this, others));
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
            .toList(),
        types.stream()
            .filter(each -> each.hour().compareTo(from) >= 0 && each.hour().compareTo(to) <= 0)
            .toList());
  }

  /** Returns these without the types that are not wanted. Whole hours stay. */
  public DroppedHours ofTypes(Predicate<String> wanted) {
    return types.isEmpty()
        ? this
        : new DroppedHours(
            ranges, types.stream().filter(each -> wanted.test(each.type())).toList());
  }

  /**
   * Returns texts for an answer, those of whole hours first: {@code 2026-11-20T08}, {@code
   * 2026-11-20T08..2026-11-20T11} and {@code 2026-11-20T08|checkout}, with the type as in a row
   * key; of very many, the first 100 and a count.
   */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    Stream.concat(ranges.stream().map(Range::toString), types.stream().map(DroppedHours::name))
        .limit(NAMED_MAX)
        .forEach(names::add);
    int all = ranges.size() + types.size();
    if (all > NAMED_MAX) {
      names.add("and " + (all - NAMED_MAX) + " others");
    }
    return names;
  }

  private static String name(TypeHour typeHour) {
    return typeHour.hour() + "|" + EventType.encode(typeHour.type());
  }
}
