package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A map of sorted maps, {@code Map<RowKey, SortedMap<TimeUuid, payload>>}, that survives crashes.
 *
 * <p>Every write is an idempotent upsert. Of two payloads under one name the larger one stays,
 * compared as unsigned bytes with a prefix before the longer one. So the order of writes never
 * matters. Only durable columns are visible.
 *
 * <p>Implementations are thread-safe. Stages complete exceptionally with {@link
 * OverloadedException} (nothing was written, try again later), {@link TooLargeException} (never try
 * again), {@link UnavailableException} (not now; a write may or may not have happened), or {@link
 * CorruptException}.
 */
public interface WideColumnStore extends RowClaims, LateArrivalLog, AutoCloseable {

  /**
   * Upserts columns; atomic per mutation, not across rows. Completes once all columns are visible,
   * and durable by the engine's promise. With {@link Limitation#SPLITS_LARGE_WRITES}, only small
   * mutations are atomic.
   *
   * @param mutations a row may appear more than once
   */
  CompletionStage<Void> write(List<Mutation> mutations);

  /** A row that does not exist has no columns. */
  CompletionStage<Slice> slice(SliceQuery query);

  /** Counts exactly, without reading payloads. */
  CompletionStage<RowCounts> count(CountQuery query);

  /**
   * The rows of an hour that have columns, sorted by key. A row is listed before its first column
   * is acknowledged.
   */
  CompletionStage<List<RowEntry>> rows(Hour hour);

  /** The hours in {@code [from, to]}, both included, that have rows; ascending. */
  CompletionStage<List<Hour>> hours(Hour from, Hour to);

  /** Deletes all rows of an hour. Later writes to the hour succeed. */
  CompletionStage<Void> drop(Hour hour);

  /** Fails with the reason if a write would probably fail now. */
  CompletionStage<Void> check();

  /**
   * How far a clock that was set back is behind the latest time it gave. Zero within the few
   * seconds of normal corrections. Until it has caught up, all columns are recorded as late.
   * Answered from memory.
   */
  default Duration clockBehind() {
    return Duration.ZERO;
  }

  /**
   * The nodes that keep or would keep a row, the first owner first. Answered from memory; empty if
   * the store has one place, or while the engine does not know.
   */
  default List<String> placement(RowKey row) {
    return List.of();
  }

  /**
   * The parts of the hours in {@code [from, to]} that are or may be missing, where an operator
   * allowed the store to start without them. Answers over them are not complete. Answered from
   * memory.
   *
   * @return names for a person; if there are very many, the first
   */
  default List<String> missing(Hour from, Hour to) {
    return List.of();
  }

  /** The promises that this engine cannot keep. */
  default Set<Limitation> limitations() {
    return Set.of();
  }

  /** Makes every accepted write durable, then releases files and connections. Idempotent. */
  @Override
  void close();
}
