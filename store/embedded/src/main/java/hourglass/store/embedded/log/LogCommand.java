package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.store.Mutation;
import hourglass.store.embedded.late.DuplicateNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A command for the log's thread. */
public sealed interface LogCommand {
  /** Completes once the command is done and durable. */
  CompletableFuture<Void> done();

  /**
   * Appends columns, then makes them visible.
   *
   * @param known the columns that were in their rows before
   * @param bytes memory reserved until the columns are in pages
   * @param noteBytes memory reserved until it is known which columns are late
   */
  record Write(
      List<Mutation> mutations,
      DuplicateNames known,
      long bytes,
      long noteBytes,
      CompletableFuture<Void> done)
      implements LogCommand {

    /** Memory to release if the write fails. */
    long reservedBytes() {
      return bytes + noteBytes;
    }
  }

  /** Deletes an hour. */
  record Drop(Hour hour, CompletableFuture<Void> done) implements LogCommand {}

  /** Ends the segment if it has columns, and has been idle for a time or reached an age. */
  record Roll(Duration idle, Duration age, CompletableFuture<Void> done) implements LogCommand {}

  /** Ends the thread. */
  record Stop(CompletableFuture<Void> done) implements LogCommand {}

  /** Appends this command's records to the log; false if it has none. */
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
