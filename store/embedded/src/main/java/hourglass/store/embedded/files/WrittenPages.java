package hourglass.store.embedded.files;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The pages that were put into maps, and their indexes, before {@link PageFiles#commit}. Not
 * thread-safe.
 */
public final class WrittenPages {
  private final List<PageMeta> pages = new ArrayList<>();
  private final List<IndexMeta> indexes = new ArrayList<>();

  public List<PageMeta> pages() {
    return Collections.unmodifiableList(pages);
  }

  List<IndexMeta> indexes() {
    return Collections.unmodifiableList(indexes);
  }

  public void add(PageMeta page) {
    pages.add(page);
  }

  void add(IndexMeta index) {
    indexes.add(index);
  }
}
