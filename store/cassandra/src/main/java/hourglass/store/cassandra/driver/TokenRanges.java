package hourglass.store.cassandra.driver;

import hourglass.access.Failures;
import hourglass.store.UnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads a whole table by ranges of its tokens, one after another. A node refuses to read over very
 * many rows that have ended, and may take too long for a full range. So a range that fails is read
 * by halves.
 */
public final class TokenRanges {
  /** The ranges of a table without failures, each of 2^56 tokens. */
  private static final int RANGES = 1 << 8;

  private static final long RANGE_TOKENS = 1L << 56;

  /** The smallest range has 2^32 tokens: one of 2^32 partitions. */
  private static final int HALVINGS_MAX = 24;

  private TokenRanges() {}

  /** Reads the partitions whose tokens are in a range, perhaps again after a failure. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reads a range.
     *
     * @param after exclusive
     * @param to inclusive
     */
    CompletionStage<Void> read(long after, long to);
  }

  /** Reads all partitions. Fails if a range fails that is as small as one may be. */
  public static CompletionStage<Void> readAll(Reader reader) {
    CompletionStage<Void> read = CompletableFuture.completedFuture(null);
    for (int i = 0; i < RANGES; i++) {
      long after = Long.MIN_VALUE + i * RANGE_TOKENS; // no partition has the least token
      long to = i == RANGES - 1 ? Long.MAX_VALUE : after + RANGE_TOKENS;
      read = read.thenCompose(done -> read(reader, after, to, HALVINGS_MAX));
    }
    return read;
  }

  private static CompletionStage<Void> read(Reader reader, long after, long to, int halvings) {
    return Futures.call(() -> reader.read(after, to))
        .exceptionallyCompose(
            failure -> {
              if (halvings == 0 || !(Failures.cause(failure) instanceof UnavailableException)) {
                return CompletableFuture.failedFuture(failure);
              }
              long middle = after + (to - after) / 2;
              return read(reader, after, middle, halvings - 1)
                  .thenCompose(done -> read(reader, middle, to, halvings - 1));
            });
  }
}
