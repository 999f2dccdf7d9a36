package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.rows.PartIndex;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packs of a sealed row by pieces. Deleted packs leave tombstones for some days, and a
 * node fails a page of results with more than 100,000 of them ({@code
 * tombstone_failure_threshold}). A piece has as many as its sealed pages have columns, where each
 * was stored once.
 *
 * @param cuts where one piece ends and the next begins, ascending
 */
record PackPieces(PackCursor.Pages pages, List<TimeUuid> cuts, Order order)
    implements PackCursor.Pages {
  /** The most columns of a piece, so that some copies of each column stay below the threshold. */
  private static final int COLUMNS_MAX = 32_768;

  /** The cuts of a row, by the heads of its pages. */
  static List<TimeUuid> cuts(PartIndex<PagePart> pages) {
    List<TimeUuid> cuts = new ArrayList<>();
    List<PagePart> heads = pages.parts();
    long columns = 0;
    for (PagePart head : heads) {
      columns += head.count();
      if (columns > COLUMNS_MAX && head != heads.get(0)) {
        cuts.add(head.first());
        columns = head.count();
      }
    }
    return cuts;
  }

  /** Divides a range; there is at least one piece. */
  static List<ColumnRange> pieces(ColumnRange range, List<TimeUuid> cuts) {
    List<ColumnRange> pieces = new ArrayList<>();
    ColumnRange rest = range;
    for (TimeUuid cut : cuts) {
      if (cut.compareTo(rest.from()) > 0 && cut.compareTo(rest.to()) < 0) {
        pieces.add(new ColumnRange(rest.from(), cut));
        rest = new ColumnRange(cut, rest.to());
      }
    }
    pieces.add(rest);
    return pieces;
  }

  /** {@code rest} is the number of a piece, and where its next page begins unless at its start. */
  @Override
  public CompletionStage<PackPage> read(
      ColumnRange firsts, int packsMax, @Nullable ByteBuffer rest) {
    List<ColumnRange> pieces = pieces(firsts, cuts);
    if (order == Order.DESCENDING) {
      Collections.reverse(pieces);
    }
    int number = rest == null ? 0 : rest.getInt(0);
    ByteBuffer within = null;
    if (rest != null && rest.capacity() > Integer.BYTES) {
      within = rest.slice(Integer.BYTES, rest.capacity() - Integer.BYTES);
    }
    ColumnRange piece = pieces.get(number);
    return pages
        .read(piece, packsMax, within)
        .thenApply(
            page -> {
              if (page.rest() != null) {
                return page.at(page.end(), position(number, page.rest()));
              }
              return number + 1 == pieces.size()
                  ? page
                  : page.at(
                      order == Order.ASCENDING ? piece.to() : piece.from(),
                      position(number + 1, ByteBuffer.allocate(0)));
            });
  }

  private static ByteBuffer position(int piece, ByteBuffer within) {
    return ByteBuffer.allocate(Integer.BYTES + within.remaining())
        .putInt(piece)
        .put(within.duplicate())
        .flip();
  }
}
