package hourglass.store.embedded;

import hourglass.store.CorruptException;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.DirectoryWatch;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.late.DuplicateLookup;
import hourglass.store.embedded.late.DuplicateLookup.Duplicates;
import hourglass.store.embedded.late.SettleClock;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.maintenance.Flusher;
import hourglass.store.embedded.memory.MemoryBudget;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes writes to the log, unless the directory is lost, the disk is full or pages cannot be
 * written. Thread-safe.
 */
record Writes(
    DirectoryWatch directory,
    SpaceGuard space,
    Flusher flusher,
    LogWriter log,
    FirstTimeIndex firstTimes,
    SettleClock settleClock,
    DuplicateLookup duplicates,
    Readers readers) {
  private static final Logger logger = LoggerFactory.getLogger(Writes.class);

  CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
    long bytes = mutations.stream().mapToLong(MemoryBudget::of).sum();
    return unlessRefused(
        bytes, () -> write(List.copyOf(mutations), times, client, settleClock.settledTicks()));
  }

  /**
   * Writes to the log, after a look-up of late columns, because duplicates must not be recorded
   * again.
   */
  private CompletionStage<Void> write(
      List<Mutation> mutations, FirstTimes times, Object client, long settledTicks) {
    long group = log.shownGroup();
    if (mutations.stream().allMatch(mutation -> mutation.columns().ticks(0) >= settledTicks)) {
      return log.write(mutations, times, Duplicates.NOT_LOOKED_UP, client);
    }
    Duplicates none = new Duplicates(group, settledTicks, null);
    if (!duplicates.isNeeded(mutations, settledTicks)) {
      return log.write(mutations, times, none, client);
    }
    return readers
        .submit(() -> lookUp(mutations, none))
        .thenCompose(found -> log.write(mutations, times, found, client));
  }

  /**
   * Looks up duplicates. If columns cannot be read, they count as absent: a tail that delivers an
   * event twice is better than one that never does.
   */
  private Duplicates lookUp(List<Mutation> mutations, Duplicates none) {
    try {
      return duplicates.lookUp(mutations, none.beforeTicks(), none.group());
    } catch (CorruptException | UnavailableException e) {
      logger.warn("late columns are recorded without a lookup of duplicates: {}", e.toString());
      return none;
    }
  }

  /** Finds first times in the calling thread. If a write would be refused now, none is reserved. */
  CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client) {
    return unlessRefused(
        (long) FirstTimes.EVENT_BYTES * found.size(),
        () -> CompletableFuture.completedFuture(firstTimes.find(found, client)));
  }

  private <T> CompletionStage<T> unlessRefused(long bytes, Supplier<CompletionStage<T>> write) {
    try {
      directory.refuseIfLost();
      checkSpace(bytes);
      flusher.check();
      return write.get();
    } catch (OverloadedException | UnavailableException | TooLargeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void checkSpace(long bytes) {
    try {
      space.check(bytes);
    } catch (UnavailableException e) {
      checkDirectory(); // a moved directory has no space either
      throw e;
    }
  }

  /** Throws the exception with which a write would be refused now. */
  void check() {
    checkDirectory();
    space.check(0);
    flusher.check();
  }

  private void checkDirectory() {
    try {
      directory.check();
    } catch (IOException e) {
      throw new UnavailableException(
          "the data directory cannot be checked: " + FileProblem.of(e), e);
    }
  }
}
