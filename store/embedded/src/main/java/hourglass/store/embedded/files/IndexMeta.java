package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.rows.ValueIndex;
import java.util.List;

/**
 * The inventory entry of a {@link ValueIndex}. It ends with the last of its pages.
 *
 * @param row the row of its first page, and of its key in the map
 * @param pages the numbers of its pages, by their places in the index; they may be of other rows
 *     too
 */
record IndexMeta(
    RowKey row,
    long number,
    int generation,
    long position,
    int storedBytes,
    int checksum,
    List<Long> pages)
    implements MapEntry {

  IndexMeta {
    pages = List.copyOf(pages);
  }

  @Override
  public String describe() {
    return "index " + number + ", listed under " + row;
  }
}
