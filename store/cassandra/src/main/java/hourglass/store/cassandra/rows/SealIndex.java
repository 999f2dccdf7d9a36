package hourglass.store.cassandra.rows;

import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.rows.KnownValueIndex;
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.ValueIndex;
import hourglass.store.rows.ValueIndexReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The index of the values and words in some pages of a sealed row, which follow each other. It is
 * in the head of the last of them. Thread-safe.
 */
final class SealIndex {
  /**
   * The most pages of an index. With more, it would be a large value for a cell of Cassandra: 64
   * pages of messages need 600 KB.
   */
  static final int PAGES_MAX = 64;

  private final byte[] bytes;
  private final KnownValueIndex values;

  /** The damage of the index; null if it is whole. */
  private final @Nullable CorruptException fault;

  private SealIndex(byte[] bytes, int pages, @Nullable CorruptException fault) {
    this.bytes = bytes;
    this.values = new KnownValueIndex(ValueIndex.checksum(bytes), pages);
    this.fault = fault;
  }

  /**
   * Returns the pages with their places in the indexes of their heads. Damage of an index is an
   * error when it is needed.
   *
   * @param heads all pages of a seal
   */
  static PartIndex<PagePart> connect(PartIndex<PagePart> heads) {
    List<PagePart> pages = new ArrayList<>(heads.parts());
    int free = 0;
    for (int i = 0; i < pages.size(); i++) {
      if (pages.get(i).indexBytes().length > 0) {
        connect(pages.subList(free, i + 1));
        free = i + 1;
      }
    }
    return PartIndex.of(pages);
  }

  /** Gives the last of these pages their places in the index of the last one. */
  private static void connect(List<PagePart> pages) {
    byte[] bytes = pages.get(pages.size() - 1).indexBytes();
    int count = pages.size();
    CorruptException fault = null;
    try {
      ValueIndex.check(bytes, ValueIndex.checksum(bytes));
      count = ValueIndex.pages(bytes);
      if (count > pages.size()) {
        throw new CorruptException(
            "index: of %s pages, not up to %s".formatted(count, pages.size()));
      }
    } catch (CorruptException e) {
      fault = e;
      count = pages.size();
    }
    int from = pages.size() - count;
    SealIndex index = new SealIndex(bytes, count, fault);
    for (int place = 0; place < count; place++) {
      PagePart page = pages.get(from + place);
      if (!page.isFiltered()) { // else it is in no index
        pages.set(from + place, page.in(index, place));
      }
    }
  }

  /** Throws CorruptException if a byte of it is damaged. */
  void check() {
    if (fault != null) {
      throw fault; // callers name the page in an exception of their own
    }
  }

  /**
   * Whether a column of a page may match. Throws CorruptException if it is damaged, unless the
   * filter does not need it.
   */
  boolean mayMatch(int place, FieldFilter filter) {
    if (!PackCodec.pages().requires(filter)) {
      return true;
    }
    check();
    return ValueIndexReader.ofThread()
        .find(values, filter, PackCodec.pages(), reader -> reader.apply(PageBytes.of(bytes)))
        .get(place);
  }
}
