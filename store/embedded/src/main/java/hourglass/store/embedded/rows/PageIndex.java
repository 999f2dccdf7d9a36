package hourglass.store.embedded.rows;

import hourglass.bucketing.TimeUuid;
import java.util.List;

/**
 * The pages of a row by first name, with the greatest last name up to each page. Binary search
 * finds the pages around a name, even if pages overlap. Immutable.
 */
final class PageIndex {
  static final PageIndex EMPTY = new PageIndex(List.of());

  private static final int[] ONE = {0};

  private final List<PageRef> pages;

  /** For each page, the index of the page with the greatest last name up to it. */
  private final int[] reaching;

  /** Indexes pages that are sorted by first names. */
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

  /** The number of pages that begin before a name. */
  int beginningBefore(TimeUuid name) {
    int low = 0;
    int high = pages.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (pages.get(middle).first().compareTo(name) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The first position where this page, or one before it, has a last name at or after a name. */
  int reaching(TimeUuid name) {
    int low = 0;
    int high = pages.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (pages.get(reaching[middle]).last().compareTo(name) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
