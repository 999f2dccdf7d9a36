package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A session with bounded numbers of concurrent reads and writes, and with failures as exceptions of
 * the SPI. Threads of the engine process the results of reads, never those that serve connections.
 * Thread-safe.
 */
public final class Cql {
  private final CqlSession session;
  private final RequestWindow reads;
  private final RequestWindow writes;
  private final Executor readers;

  public Cql(CqlSession session, RequestWindow reads, RequestWindow writes, Executor readers) {
    this.session = session;
    this.reads = reads;
    this.writes = writes;
    this.readers = readers;
  }

  public CqlSession session() {
    return session;
  }

  public CompletionStage<PreparedStatement> prepare(String cql) {
    return told(session.prepareAsync(cql));
  }

  public CompletionStage<Void> write(Statement<?> statement) {
    return told(writes.run(() -> session.executeAsync(statement))).thenApply(done -> null);
  }

  /** The first page of an answer. */
  public CompletionStage<AsyncResultSet> read(Statement<?> statement) {
    return told(reads.run(() -> session.executeAsync(statement)))
        .thenApplyAsync(page -> page, readers);
  }

  /** Passes every row of an answer to a consumer, page by page, one row at a time. */
  public CompletionStage<Void> readAll(Statement<?> statement, Consumer<Row> each) {
    return read(statement).thenCompose(page -> takePages(page, each));
  }

  private CompletionStage<Void> takePages(AsyncResultSet page, Consumer<Row> each) {
    page.currentPage().forEach(each);
    return page.hasMorePages()
        ? told(reads.run(page::fetchNextPage))
            .thenComposeAsync(next -> takePages(next, each), readers)
        : CompletableFuture.completedFuture(null);
  }

  private <T> CompletionStage<T> told(CompletionStage<T> stage) {
    return stage
        .handle(
            (value, failure) ->
                failure == null
                    ? CompletableFuture.completedFuture(value)
                    : CompletableFuture.<T>failedFuture(Failures.of(failure, session)))
        .thenCompose(same -> same);
  }
}
