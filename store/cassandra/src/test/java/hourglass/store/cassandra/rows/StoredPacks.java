package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The packs of one row in memory, as a node returns them. */
final class StoredPacks {
  private static final Comparator<Pack> ORDER =
      Comparator.comparing(Pack::first).thenComparingLong(Pack::digest);

  private final List<Pack> packs = new ArrayList<>();
  private final int packsFirst;
  private final int pageMax;

  /** The boundaries of the pieces that are read. */
  final List<TimeUuid> cuts = new ArrayList<>();

  private Runnable afterPage = () -> {};

  /** Bodies that were read. */
  int bodies;

  /** {@code pageMax} limits pages of results. */
  StoredPacks(int pageMax) {
    this(pageMax, pageMax);
  }

  /** {@code packsFirst} are in the first page of results of a slice. */
  StoredPacks(int packsFirst, int pageMax) {
    this.packsFirst = packsFirst;
    this.pageMax = pageMax;
  }

  /** Runs once, between the next page of results and the one after it. */
  void afterPage(Runnable action) {
    afterPage = action;
  }

  void write(Columns columns) {
    for (Pack pack : PackCodec.encode(columns)) {
      if (packs.stream().noneMatch(other -> ORDER.compare(other, pack) == 0)) {
        packs.add(pack);
      }
    }
    packs.sort(ORDER);
  }

  private PackCursor cursor(
      ColumnRange range, Order order, boolean wholeMinutes, boolean isRead, int packs) {
    return new PackCursor(
        new PackPieces(
            (firsts, max, rest) ->
                CompletableFuture.completedFuture(page(firsts, order, max, rest, isRead)),
            cuts,
            order),
        range,
        order,
        null,
        wholeMinutes,
        packs,
        pageMax);
  }

  private PackPage page(ColumnRange firsts, Order order, int max, ByteBuffer rest, boolean isRead) {
    List<Pack> all =
        new ArrayList<>(packs.stream().filter(pack -> firsts.contains(pack.first())).toList());
    if (order == Order.DESCENDING) {
      Collections.reverse(all);
    }
    int from = rest == null ? 0 : rest.getInt(0);
    int to = Math.min(all.size(), from + max);
    bodies += isRead ? to - from : 0;
    List<Pack> read =
        all.subList(from, to).stream()
            .map(pack -> isRead ? pack : new Pack(pack.first(), pack.digest(), pack.head(), null))
            .toList();
    boolean isLast = to == all.size();
    Runnable action = afterPage;
    afterPage = () -> {};
    action.run();
    return PackPage.of(read, order, isLast ? null : ByteBuffer.allocate(4).putInt(0, to));
  }

  Slice slice(SliceQuery query) {
    return SliceRead.read(
            query,
            packs -> cursor(query.range(), query.order(), false, true, packs),
            packsFirst,
            pageMax)
        .toCompletableFuture()
        .join();
  }

  /** All slices of a query; the last ones first if it descends. */
  List<Slice> slices(SliceQuery query) {
    List<Slice> slices = new ArrayList<>(List.of(slice(query)));
    for (SliceQuery rest = query; slices.get(slices.size() - 1).more(); ) {
      rest = rest.after(slices.get(slices.size() - 1));
      slices.add(slice(rest));
    }
    return slices;
  }

  RowCounts count(CountQuery query) {
    return new CountReader(query, range -> cursor(range, Order.ASCENDING, true, true, pageMax))
        .read(cursor(query.range(), Order.ASCENDING, true, false, pageMax))
        .toCompletableFuture()
        .join();
  }

  /** Payloads under names that follow each other, {@code step} ticks apart. */
  static Columns columns(long ticks, long step, byte[]... payloads) {
    ColumnsBuilder columns = new ColumnsBuilder(payloads.length, 0);
    IntStream.range(0, payloads.length)
        .forEach(
            i -> columns.add(ticks + i * step, Long.MIN_VALUE, payloads[i], 0, payloads[i].length));
    return columns.build();
  }
}
