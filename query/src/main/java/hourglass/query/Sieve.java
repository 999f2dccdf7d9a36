package hourglass.query;

import hourglass.store.Columns;
import hourglass.store.Slice;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has a query's filter look at the columns of its slices before the merge comes to them, several
 * slices side by side. The merge still gets all of them, since it chooses among the events of one
 * name before the filter has its say. Immutable.
 */
final class Sieve {
  /** Less is looked at sooner than handed over, and many walks begin with less: the merge looks. */
  private static final int BYTES_MIN = 64 << 10;

  private final EventFilter filter;
  private final Executor executor;

  private Sieve(EventFilter filter, Executor executor) {
    this.filter = filter;
    this.executor = executor;
  }

  /** Null where there is no filter. */
  static @Nullable Sieve of(@Nullable EventFilter filter, Executor executor) {
    return filter == null ? null : new Sieve(filter, executor);
  }

  /** Whether it takes longer to look at a slice than to hand it to another thread. */
  static boolean isWorth(Slice slice) {
    return !slice.columns().isEmpty() && slice.columns().payloadBytes() >= BYTES_MIN;
  }

  /**
   * Looks at the slice of a row of a type.
   *
   * @param gone whether nobody waits for it any more; asked before each column
   */
  CompletionStage<SiftedSlice> sift(String type, Slice slice, BooleanSupplier gone) {
    try {
      return CompletableFuture.supplyAsync(
          () -> new SiftedSlice(slice, taken(type, slice.columns(), gone)), executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private @Nullable BitSet taken(String type, Columns columns, BooleanSupplier gone) {
    BitSet taken = new BitSet(columns.size());
    try {
      for (int i = 0; i < columns.size(); i++) {
        if (gone.getAsBoolean()) {
          return null;
        }
        if (filter.takes(type, columns, i)) {
          taken.set(i);
        }
      }
    } catch (BadParameterException e) {
      return null; // The merge may never come to this event; if it does, it meets this again.
    }
    return taken;
  }
}
