package hourglass.store.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
import hourglass.store.NameRanges;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a row by first name, each with the greatest last name up to it. So binary search
 * works even if parts overlap. Immutable.
 */
public final class PartIndex<P extends Part> {
  private static final int[] ONE = {0};

  private final List<P> parts;

  /** The index, for each part, of the part with the greatest last name up to it. */
  private final int[] reaching;

  /** The parts that share names, found when first needed. The set is never changed. */
  private volatile @Nullable BitSet sharing;

  private PartIndex(List<P> ascending) {
    boolean one = ascending.size() == 1; // with many types, most rows have one
    this.parts = one ? List.of(ascending.get(0)) : ascending;
    this.reaching = one ? ONE : new int[ascending.size()];
    for (int i = 1; i < reaching.length; i++) {
      int before = reaching[i - 1];
      reaching[i] = parts.get(i).last().compareTo(parts.get(before).last()) > 0 ? i : before;
    }
  }

  /** Creates an index of parts in any order. */
  public static <P extends Part> PartIndex<P> of(Collection<? extends P> parts) {
    List<P> sorted = new ArrayList<>(parts);
    sorted.sort(Part.BY_FIRST);
    return new PartIndex<>(sorted);
  }

  public List<P> parts() {
    return parts;
  }

  /** Returns the parts that may have a name in common with another part. */
  BitSet sharing() {
    BitSet known = sharing;
    if (known == null) {
      known = Part.sharing(parts);
      sharing = known;
    }
    return known;
  }

  /** Returns the parts that overlap a range, in the order of their first names. */
  public List<P> in(ColumnRange range) {
    List<P> found = new ArrayList<>();
    if (range.isEmpty()) {
      return found;
    }
    for (P part : around(range)) {
      if (part.overlaps(range)) {
        found.add(part);
      }
    }
    return found;
  }

  /** Returns all parts that overlap the range, and perhaps others. */
  List<P> around(ColumnRange range) {
    int from = reaching(range);
    return parts.subList(from, Math.max(from, before(range)));
  }

  /** Returns the index of the first part that may overlap the range. */
  private int reaching(ColumnRange range) {
    return search(i -> parts.get(reaching[i]).last().compareTo(range.from()) < 0);
  }

  /** Returns the index of the first part after the range. */
  private int before(ColumnRange range) {
    return search(i -> parts.get(i).first().compareTo(range.to()) < 0);
  }

  private int search(IntPredicate isBefore) {
    int low = 0;
    int high = parts.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore.test(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns the parts of the wanted range without those that cannot match, as far as that is known
   * without reading them. A part that is left out has no name in common with any other part, so no
   * payload that stays in the row is lost. Parts out of the range may be returned too.
   *
   * @param filtered the range in which columns may be left out
   * @param others parts of the row besides these, at least those that overlap the wanted range
   */
  public PartIndex<P> matching(
      FieldFilter filter, ColumnRange filtered, ColumnRange wanted, List<? extends Part> others) {
    if (!filter.requiresAny() || wanted.isEmpty()) {
      return this;
    }
    List<P> kept = new ArrayList<>();
    ColumnRange span = span(others);
    for (int i = reaching(wanted), end = before(wanted); i < end; i++) {
      P part = parts.get(i);
      if (part.overlaps(wanted)
          && (!part.isWithin(filtered)
              || sharing().get(i)
              || part.mayMatchUnread(filter)
              || part.overlaps(span) && others.stream().anyMatch(other -> mayShare(part, other)))) {
        kept.add(part);
      }
    }
    return kept.size() == parts.size() ? this : new PartIndex<>(kept);
  }

  /** The range from the first name of all parts to the last one; empty without parts. */
  private static ColumnRange span(List<? extends Part> parts) {
    TimeUuid first = null;
    TimeUuid last = null;
    for (Part part : parts) {
      first = first == null || part.first().compareTo(first) < 0 ? part.first() : first;
      last = last == null || part.last().compareTo(last) > 0 ? part.last() : last;
    }
    return first == null || last == null
        ? ColumnRange.EMPTY
        : new ColumnRange(first, last.successor());
  }

  private static boolean mayShare(Part part, Part other) {
    NameRanges names = part.names();
    NameRanges others = other.names();
    return part.overlaps(new ColumnRange(other.first(), other.last().successor()))
        && (names == null || others == null || names.mayShareWith(others));
  }
}
