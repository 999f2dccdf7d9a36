package hourglass.store.cassandra.rows;

import hourglass.store.CountQuery;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.cassandra.rows.PackCursor.Section;
import hourglass.store.parts.Part;
import hourglass.store.parts.PartCounter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One count of a row with packs. Used by one thread at a time. */
final class PackCount {
  private final PacksTable table;
  private final CountQuery query;
  private final int packsMax;
  private final List<Part> heads = new ArrayList<>();

  PackCount(PacksTable table, CountQuery query, int packsMax) {
    this.table = table;
    this.query = query;
    this.packsMax = packsMax;
  }

  CompletionStage<RowCounts> read() {
    return query.range().isEmpty()
        ? CompletableFuture.completedFuture(RowCounts.NONE)
        : readHeads(null).exceptionallyCompose(this::orBodies);
  }

  private CompletionStage<RowCounts> readHeads(@Nullable ByteBuffer rest) {
    return table
        .selectHeads(query.row(), PackCursor.firsts(query.range()), rest)
        .thenCompose(
            page -> {
              for (Part part : PackCursor.parts(page.packs(), Order.ASCENDING)) {
                if (part.overlaps(query.range())) {
                  heads.add(part);
                }
              }
              return page.rest() != null
                  ? readHeads(page.rest())
                  : CompletableFuture.completedFuture(new PartCounter(query).count(heads));
            });
  }

  private CompletionStage<RowCounts> orBodies(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (!(cause instanceof UnreadException)) {
      return CompletableFuture.failedFuture(failure);
    }
    PackCursor cursor =
        new PackCursor(
            table, query.row(), query.range(), Order.ASCENDING, packsMax, packsMax, true);
    return readBodies(cursor, RowCounts.NONE);
  }

  private CompletionStage<RowCounts> readBodies(PackCursor cursor, RowCounts before) {
    return cursor
        .next()
        .thenCompose(
            section -> {
              RowCounts counts = before.plus(count(section));
              return section.isLast()
                  ? CompletableFuture.completedFuture(counts)
                  : readBodies(cursor, counts);
            });
  }

  private RowCounts count(Section section) {
    return new PartCounter(query.of(query.row(), section.range())).count(section.parts());
  }
}
