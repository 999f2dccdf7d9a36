package hourglass.store.erasure;

import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.OverloadedException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The erasures of an engine: it keeps them, and removes the bytes of their columns. Hiding these
 * columns meanwhile is the work of {@link ErasingStore}, with what {@link #current} says.
 * Thread-safe.
 *
 * <pre>
 * begin ──> hidden ──rewrite──> rewriting ──> done ──remember──> forgotten
 *   a crash before begin completes: not begun or hidden
 *   a crash later: the engine goes on by itself when it is opened
 * </pre>
 */
public interface ErasureJournal {
  /**
   * The most erased columns of all erasures that are remembered. Each takes about 32 bytes of
   * memory in every process: two hashes, in its erasure and in those of all.
   */
  int REMEMBERED_MAX = 4_000_000;

  /**
   * Returns the erased columns. A call that begins after {@link #begin} completed, in any process
   * of the store, returns the columns of that erasure too. Their {@link ErasedColumns#mark} is
   * another one from then on, and not when an erasure ends: caches are emptied, and answers are
   * gathered again, each time that it changes.
   */
  CompletionStage<ErasedColumns> current();

  /**
   * Notes an erasure durably. Fails with {@link OverloadedException} if the store would have to
   * remember more than {@link #REMEMBERED_MAX} columns.
   */
  CompletionStage<Void> begin(Erasure erasure);

  /**
   * Starts to remove the bytes of an erasure that has begun. Call it when no write is under way any
   * more that began before {@link #begin} completed. The stage completes when the work is queued;
   * failures are repeated until it is done.
   */
  CompletionStage<Void> rewrite(TimeUuid id);

  /** Returns all erasures that are not forgotten, the newest first. */
  CompletionStage<List<ErasureStatus>> all();

  /**
   * Returns how many bytes of disk the rewrite of these type hours needs at most, besides those
   * that they take now.
   */
  CompletionStage<Long> spaceNeeded(Collection<TypeHour> typeHours);
}
