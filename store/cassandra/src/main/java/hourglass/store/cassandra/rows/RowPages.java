package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.cassandra.driver.DriverFailures;
import hourglass.store.cassandra.driver.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

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
  private final PageSeries pages;
  private final List<CompletionStage<Void>> inserts = new ArrayList<>();

  RowPages(
      PagesTable table,
      RowKey row,
      int generation,
      long seal,
      Function<Consumer<Pack>, PageSeries> begin) {
    this.table = table;
    this.row = row;
    this.generation = generation;
    this.seal = seal;
    this.pages = begin.apply(this::insert);
  }

  /** Adds columns after all those of earlier calls. Throws the failure of a page. */
  public void add(Columns columns) {
    pages.add(columns);
  }

  private void insert(Pack page) {
    inserts.add(table.insert(row, generation, seal, page));
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
    pages.end();
    return Futures.allOf(inserts.stream());
  }

  @Override
  public void close() {
    pages.close();
  }
}
