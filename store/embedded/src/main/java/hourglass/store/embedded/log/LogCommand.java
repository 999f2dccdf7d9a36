package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.store.Mutation;
import hourglass.store.embedded.late.DuplicateNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the log's thread is asked to do. */
public sealed interface LogCommand {
  /** Completes once it is done and durable. */
  CompletableFuture<Void> done();

  /**
   * Appends columns, then shows them.
   *
   * @param bytes of the budget, until they are in pages
   * @param noteBytes of the budget, until it is known which of them are late
   */
  record Write(
      List<Mutation> mutations,
      DuplicateNames known,
      long bytes,
      long noteBytes,
      CompletableFuture<Void> done)
      implements LogCommand {

    /** What is given back if it fails. */
    long reservedBytes() {
      return bytes + noteBytes;
    }
  }

  /** Forgets an hour. */
  record Drop(Hour hour, CompletableFuture<Void> done) implements LogCommand {}

  /** Ends the segment, if it holds anything and has been idle for so long, or is so old. */
  record Roll(Duration idle, Duration age, CompletableFuture<Void> done) implements LogCommand {}

  /** Ends the thread. */
  record Stop(CompletableFuture<Void> done) implements LogCommand {}

  /** Appends what this has for the log; false if it has nothing. */
  default boolean appendTo(CommitLog log) throws IOException {
    if (this instanceof Write write) {
      log.append(write.mutations());
      return true;
    } else if (this instanceof Drop drop) {
      log.appendDrop(drop.hour());
      return true;
    }
    return false;
  }
}
