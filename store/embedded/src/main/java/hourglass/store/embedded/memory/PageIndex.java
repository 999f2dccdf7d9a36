package hourglass.store.embedded.memory;

import hourglass.store.ColumnRange;
import hourglass.store.rows.Part;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a row by first name, with the greatest last name up to each. So binary search works
 * even if pages overlap. Immutable.
 */
final class PageIndex {
  static final PageIndex EMPTY = new PageIndex(List.of());

  private static final int[] ONE = {0};

  private final List<PageRef> pages;

  /** For each page, the index of the page up to it with the greatest last name. */
  private final int[] reaching;

  /** Found when first asked for. Never changed. */
  private volatile @Nullable BitSet sharing;

  PageIndex(List<PageRef> pages) {
    boolean one = pages.size() == 1; // with many types, most rows have one
    this.pages = one ? List.of(pages.get(0)) : pages;
    this.reaching = one ? ONE : new int[pages.size()];
    for (int i = 1; i < reaching.length; i++) {
      int before = reaching[i - 1];
      reaching[i] = pages.get(i).last().compareTo(pages.get(before).last()) > 0 ? i : before;
    }
  }

  List<PageRef> pages() {
    return pages;
  }

  /** Pages that may have a name in common with another one. */
  BitSet sharing() {
    BitSet known = sharing;
    if (known == null) {
      known = Part.sharing(pages);
      sharing = known;
    }
    return known;
  }

  /** All pages that overlap the range, and perhaps others. */
  List<PageRef> around(ColumnRange range) {
    int from = search(i -> pages.get(reaching[i]).last().compareTo(range.from()) < 0);
    int to = search(i -> pages.get(i).first().compareTo(range.to()) < 0);
    return pages.subList(Math.min(from, to), to);
  }

  private int search(IntPredicate isBefore) {
    int low = 0;
    int high = pages.size();
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
