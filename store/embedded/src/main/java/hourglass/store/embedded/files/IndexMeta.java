package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.rows.ValueIndex;
import java.util.List;

/**
 * The entry of a {@link ValueIndex}. It ends with the last of its pages.
 *
 * @param row the row of its first page
 * @param pages the numbers of its pages, by their places in the index; they may be of other rows
 *     too
 */
record IndexMeta(
    RowKey row,
    long number,
    long file,
    long position,
    int storedBytes,
    int checksum,
    List<Long> pages)
    implements FileEntry {

  IndexMeta {
    pages = List.copyOf(pages);
  }

  /** Returns the entry of a copy. */
  IndexMeta at(long otherFile, long otherPosition) {
    return new IndexMeta(row, number, otherFile, otherPosition, storedBytes, checksum, pages);
  }

  @Override
  public String describe() {
    return "index " + number + ", listed under " + row;
  }
}
