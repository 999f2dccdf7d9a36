package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.cassandra.driver.DriverFailures;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.pages.PageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Writes the columns of a row as pages of a new seal, in the order of their names. Blocks; used by
 * one thread.
 */
public final class RowPages implements AutoCloseable {
  /** The most inserts that run at a time. */
  private static final int INSERTS_MAX = 8;

  private final PagesTable table;
  private final RowKey row;
  private final int generation;
  private final long seal;
  private final PageCodec codec = new PageCodec();
  private final List<CompletionStage<Void>> inserts = new ArrayList<>();

  /** The columns of the next page, perhaps not all of them. */
  private Columns rest = Columns.EMPTY;

  RowPages(PagesTable table, RowKey row, int generation, long seal) {
    this.table = table;
    this.row = row;
    this.generation = generation;
    this.seal = seal;
  }

  /** Adds columns after all those of earlier calls. Throws the failure of a page. */
  public void add(Columns columns) {
    Columns all = rest.isEmpty() ? columns : Columns.merge(List.of(rest, columns));
    int from = 0;
    while (from < all.size()) {
      int to = PageCodec.end(all, from);
      if (to == all.size()) {
        break;
      }
      put(all.subColumns(from, to));
      from = to;
    }
    rest = all.subColumns(from, all.size()).compact();
  }

  private void put(Columns columns) {
    inserts.add(table.insert(row, generation, seal, PackCodec.page(columns, codec)));
    if (inserts.size() == INSERTS_MAX) {
      awaitInserts();
    }
  }

  private void awaitInserts() {
    try {
      Futures.allOf(inserts.stream()).join();
    } catch (CompletionException e) {
      throw DriverFailures.of(e);
    }
    inserts.clear();
  }

  /** Completes once all pages are stored. */
  public CompletionStage<Void> finish() {
    if (!rest.isEmpty()) {
      put(rest);
    }
    return Futures.allOf(inserts.stream());
  }

  @Override
  public void close() {
    codec.close();
  }
}
