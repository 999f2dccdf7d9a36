package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A session that bounds concurrent reads and writes, with failures as exceptions of the SPI.
 * Thread-safe.
 *
 * @param readers processes the results of reads, in place of the threads that serve connections
 */
public record Cql(
    CqlSession session,
    String keyspace,
    RequestWindow reads,
    RequestWindow writes,
    Executor readers) {

  /** Prepares a statement, in which the keyspace replaces {@code %s}. Blocks. */
  public PreparedStatement prepare(String cql) {
    return session.prepare(cql.formatted(keyspace));
  }

  public CompletionStage<PreparedStatement> prepareAsync(String cql) {
    return translated(session.prepareAsync(cql.formatted(keyspace)));
  }

  /** Returns microseconds since 1970, always greater than the last. */
  public long nextMicros() {
    return session.getContext().getTimestampGenerator().next();
  }

  /**
   * Returns the timestamp of a change to a value that any process may have written, whose clock may
   * be ahead.
   *
   * @param writtenMicros the write timestamp of the value
   */
  public long microsAfter(long writtenMicros) {
    return Math.max(nextMicros(), writtenMicros + 1);
  }

  public CompletionStage<Void> write(Statement<?> statement) {
    return translated(writes.run(() -> session.executeAsync(statement))).thenApply(done -> null);
  }

  /**
   * Executes a statement after a check, which runs when the statement is about to be sent. If the
   * check fails, nothing is sent.
   */
  public CompletionStage<Void> write(
      Statement<?> statement, Supplier<? extends CompletionStage<Void>> check) {
    return translated(
            writes.run(() -> check.get().thenCompose(passed -> session.executeAsync(statement))))
        .thenApply(done -> null);
  }

  /**
   * Executes a statement that is completed when it is about to be sent; nothing is sent if it is
   * empty by then.
   */
  public CompletionStage<Void> write(
      Supplier<? extends CompletionStage<Optional<Statement<?>>>> statement) {
    return translated(
        writes.run(
            () ->
                statement
                    .get()
                    .thenCompose(
                        made ->
                            made.isEmpty()
                                ? CompletableFuture.completedFuture(null)
                                : session.executeAsync(made.get()).thenApply(done -> null))));
  }

  /**
   * Executes a lightweight transaction, which is sent only once, since a failed one may have been
   * applied.
   */
  public CompletionStage<AsyncResultSet> transact(Statement<?> statement) {
    Statement<?> once = statement.setIdempotent(false);
    return translated(writes.run(() -> session.executeAsync(once)))
        .thenApplyAsync(result -> result, readers);
  }

  public CompletionStage<AsyncResultSet> read(Statement<?> statement) {
    return translated(reads.run(() -> session.executeAsync(statement)))
        .thenApplyAsync(page -> page, readers);
  }

  /** Reads all rows, and passes on one at a time. */
  public CompletionStage<Void> readAll(Statement<?> statement, Consumer<Row> each) {
    return read(statement).thenCompose(page -> takePages(page, each));
  }

  private CompletionStage<Void> takePages(AsyncResultSet page, Consumer<Row> each) {
    page.currentPage().forEach(each);
    return page.hasMorePages()
        ? translated(reads.run(page::fetchNextPage))
            .thenComposeAsync(next -> takePages(next, each), readers)
        : CompletableFuture.completedFuture(null);
  }

  private <T> CompletionStage<T> translated(CompletionStage<T> stage) {
    return stage.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(DriverFailures.of(failure, session)));
  }
}
