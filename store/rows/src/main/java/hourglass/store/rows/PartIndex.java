package hourglass.store.rows;

import hourglass.store.ColumnRange;
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
    int from = search(i -> parts.get(reaching[i]).last().compareTo(range.from()) < 0);
    int to = search(i -> parts.get(i).first().compareTo(range.to()) < 0);
    return parts.subList(Math.min(from, to), to);
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
}
