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

  private SealIndex(byte[] bytes, int pages) {
    this.bytes = bytes;
    this.values = new KnownValueIndex(ValueIndex.checksum(bytes), pages);
  }

  /**
   * Returns the pages with their places in the indexes of their heads.
   *
   * @param heads all pages of a seal
   * @throws CorruptException if an index is damaged, or has more pages than there are
   */
  static PartIndex<PagePart> connect(PartIndex<PagePart> heads) {
    List<PagePart> pages = new ArrayList<>(heads.parts());
    int free = 0;
    for (int i = 0; i < pages.size(); i++) {
      byte[] bytes = pages.get(i).indexBytes();
      if (bytes.length > 0) {
        int from = i + 1 - pages(pages.get(i), bytes, i + 1 - free);
        SealIndex index = new SealIndex(bytes, i + 1 - from);
        for (int place = from; place <= i; place++) {
          pages.set(place, pages.get(place).in(index, place - from));
        }
        free = i + 1;
      }
    }
    return PartIndex.of(pages);
  }

  private static int pages(PagePart last, byte[] bytes, int pagesMax) {
    try {
      int pages = ValueIndex.pages(bytes);
      if (pages > pagesMax) {
        throw new CorruptException("index: of %s pages, not up to %s".formatted(pages, pagesMax));
      }
      return pages;
    } catch (CorruptException e) {
      throw last.damaged(e);
    }
  }

  /** Whether a column of a page may match. Throws CorruptException if the index is damaged. */
  boolean mayMatch(int place, FieldFilter filter) {
    return ValueIndexReader.ofThread()
        .find(values, filter, PackCodec.pages(), reader -> reader.apply(PageBytes.of(bytes)))
        .get(place);
  }
}
