package hourglass.store.embedded.rows;

import hourglass.bucketing.TimeUuid;
import java.util.List;

/**
 * Pages of a row by their first names, with the greatest last name up to each, so that the pages
 * around a name are found by bisection although pages may overlap. Immutable.
 */
final class PageIndex {
  static final PageIndex EMPTY = new PageIndex(List.of());

  private static final int[] ONE = {0};

  private final List<PageRef> pages;

  /** For each page, which of the pages up to it has the greatest last name. */
  private final int[] reaching;

  /**
   * @param pages sorted by first names
   */
  PageIndex(List<PageRef> pages) {
    boolean one = pages.size() == 1; // as of most rows where types are many
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

  /** How many pages begin before a name. */
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

  /** The first position with a page, there or before, that reaches a name or passes it. */
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
