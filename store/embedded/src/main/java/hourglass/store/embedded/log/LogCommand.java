package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.embedded.late.DuplicateLookup.Duplicates;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A command to the log's thread. Its future completes once it is done and durable. */
sealed interface LogCommand {
  CompletableFuture<Void> done();

  /**
   * Appends columns, then makes them visible.
   *
   * @param client the client whose share new rows use
   * @param bytes reserved until the columns are in pages, and the first times in a file
   * @param lateBytes reserved until the late arrivals are known
   */
  record Write(
      List<Mutation> mutations,
      FirstTimes firstTimes,
      Duplicates duplicates,
      Object client,
      long bytes,
      long lateBytes,
      CompletableFuture<Void> done)
      implements LogCommand {

    long reservedBytes() {
      return bytes + lateBytes;
    }
  }

  /** Drops an hour, whose pages must be deleted already. */
  record Drop(Hour hour, CompletableFuture<Void> done) implements LogCommand {}

  /** Drops a type of an hour, whose pages must be removed already. */
  record DropType(TypeHour of, CompletableFuture<Void> done) implements LogCommand {}

  /** Ends the segment if its last write, or the first one, was so long ago. */
  record Roll(Duration idle, Duration age, CompletableFuture<Void> done) implements LogCommand {}

  /**
   * Ends the segment even if it is empty, and skips the number of a group, which no write has.
   *
   * @param group receives that number before this is done
   */
  record SkipGroup(AtomicLong group, CompletableFuture<Void> done) implements LogCommand {}

  /** Ends the thread, after the commands before it. */
  record Stop(CompletableFuture<Void> done) implements LogCommand {}
}
