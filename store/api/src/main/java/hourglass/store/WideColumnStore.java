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
 * compared as unsigned bytes with a prefix before the longer one. So the outcome never depends on
 * the order of writes. Only durable columns are visible.
 *
 * <p>Implementations are thread-safe. Stages complete exceptionally with {@link
 * OverloadedException} (nothing was written, try again later), {@link TooLargeException} (never try
 * again), {@link UnavailableException} (not now; a write may or may not have happened), or {@link
 * CorruptException}.
 */
public interface WideColumnStore extends RowClaims, LateArrivalLog, AutoCloseable {

  /**
   * Upserts columns of some rows; atomic per mutation, not across rows. With {@link
   * Limitation#SPLITS_LARGE_WRITES}, only small mutations are atomic.
   *
   * @param mutations any number of rows; a row may appear more than once
   * @return completes once all columns are visible, and durable by the engine's promise
   */
  CompletionStage<Void> write(List<Mutation> mutations);

  /** Reads a part of one row; a row that does not exist has no columns. */
  CompletionStage<Slice> slice(SliceQuery query);

  /** Counts columns of one row, exactly, without reading payloads. */
  CompletionStage<RowCounts> count(CountQuery query);

  /**
   * The directory of an hour: the rows that have columns, sorted by key. A row is listed before its
   * first column is acknowledged.
   */
  CompletionStage<List<RowEntry>> rows(Hour hour);

  /** The hours in {@code [from, to]}, both included, that have rows; ascending. */
  CompletionStage<List<Hour>> hours(Hour from, Hour to);

  /** Deletes all rows of an hour. Later writes to the hour succeed. */
  CompletionStage<Void> drop(Hour hour);

  /** Completes normally if a write would probably succeed now, else with the reason. */
  CompletionStage<Void> check();

  /**
   * How far a clock that was set back is behind the latest time it gave. Zero within the few
   * seconds of normal corrections. Until it has caught up, the store records all columns as late.
   * Answered from memory.
   */
  default Duration clockBehind() {
    return Duration.ZERO;
  }

  /**
   * The nodes that keep a row or would keep it, the first owner first. Answered from memory; empty
   * if the store has one place, or while the engine does not know.
   */
  default List<String> placement(RowKey row) {
    return List.of();
  }

  /**
   * The parts of the hours in {@code [from, to]} that are known to be missing, or may be, where an
   * operator allowed the store to start without them. Answers over them are not complete. Answered
   * from memory.
   *
   * @return names for a person, of very many the first; empty if nothing is missing
   */
  default List<String> missing(Hour from, Hour to) {
    return List.of();
  }

  /** The promises that this engine cannot keep. The contract tests run for all others. */
  default Set<Limitation> limitations() {
    return Set.of();
  }

  /** Makes every accepted write durable, then releases files and connections. Idempotent. */
  @Override
  void close();
}
