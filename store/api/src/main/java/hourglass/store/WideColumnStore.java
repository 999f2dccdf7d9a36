package hourglass.store;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

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
public interface WideColumnStore extends AutoCloseable {

  /**
   * Upserts columns; atomic per mutation, not across rows. Completes once all columns are visible,
   * and durable by the engine's promise. With {@link Limitation#SPLITS_LARGE_WRITES}, only small
   * mutations are atomic.
   *
   * @param mutations a row may appear more than once
   */
  default CompletionStage<Void> write(List<Mutation> mutations) {
    return write(mutations, FirstTimes.NONE, SharedRoom.NOBODY);
  }

  /**
   * As above, and stores first times with the columns, or before them. An engine whose room for new
   * rows is bounded shares it between clients, and fails with {@link OverloadedException} for one
   * that is above its share.
   *
   * @param firstTimes answers of {@link #firstTimes}
   * @param client who writes, compared by equality; {@link SharedRoom#NOBODY}: not known
   */
  CompletionStage<Void> write(List<Mutation> mutations, FirstTimes firstTimes, Object client);

  /**
   * The time of each event at which it was first found. An event that has an identity and no time
   * gets its column name from it, so that a repeat writes the same column. Once a write has stored
   * the first time, it is kept until at least the engine's window has passed since it was found.
   * Fails with {@link OverloadedException} where no more first times can be kept for this client,
   * and says when that will be; none is forgotten early. Any client finds the first times of all.
   *
   * @param found the events, with the times of this attempt
   * @param client who sends them, as in {@link #write(List, FirstTimes, Object)}
   * @return the same events in the same order, with the times of their first attempts
   */
  CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client);

  /**
   * A view of this store that reads rows and directories on {@code threads}, if its reads need any.
   * So the caller decides whose reads come first.
   */
  default WideColumnStore readingOn(Executor threads) {
    return this;
  }

  /** A row that does not exist has no columns. */
  CompletionStage<Slice> slice(SliceQuery query);

  /** Counts exactly, without reading payloads. */
  CompletionStage<RowCounts> count(CountQuery query);

  /**
   * The values of fields in a part of a row, counted by step. The filter judges the payload that
   * stays in the row under a name. The answer may be as large as the payloads in the range. An
   * engine that keeps fields apart may compute it in the calling thread.
   */
  default CompletionStage<FieldValues> values(FieldQuery query) {
    return FieldSlices.read(this, query);
  }

  /** Whether {@link #values} costs less than reading payloads. Answered from memory. */
  default boolean keepsFieldsApart() {
    return false;
  }

  /**
   * The rows of an hour that have columns, sorted by key. A row is listed before its first column
   * is acknowledged.
   */
  CompletionStage<List<RowEntry>> rows(Hour hour);

  /** The hours in {@code [from, to]}, both included, that have rows; ascending. */
  CompletionStage<List<Hour>> hours(Hour from, Hour to);

  /**
   * Publishes a writer's claims on rows of a type hour, and then reads all claims. A claim replaces
   * the previous one of the same shard and writer, by the time of the call; it creates no row. Of
   * two calls at the same time, at least one sees the claims of the other. So several processes can
   * fill rows of one type hour, and no row exceeds its target.
   *
   * <p>Columns that existed before the first claim are reported as a claim of {@link
   * ShardClaim#NO_WRITER}, and again after claims were evicted. So the claims on a row, without
   * those of this call, never add up to less than the row had at the time.
   *
   * @param claims any number; with none, unclaimed columns are still reported
   */
  CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims);

  /**
   * Changes nothing. Unclaimed columns are reported only as far as an earlier {@link #claim} found
   * them.
   */
  CompletionStage<List<ShardClaim>> claims(TypeHour typeHour);

  /**
   * Reads records of late arrivals; without them, a tail would miss columns that become visible
   * behind its position. A column is late if it becomes visible more than {@code settle} after its
   * own time. The engine sets {@code settle}, and may treat more columns as late. The record is
   * stored before the write is acknowledged. As far as the engine knows, a column that was in its
   * type hour before is not recorded again.
   *
   * <p>So a tick and a place describe everything that a reader has delivered: the columns before
   * the tick that have no record, and the records up to the place.
   *
   * @param after exclusive; {@link LateArrivalPlace#NEWEST}: no record, only the settled tick
   * @param namesMax the answer ends with the record that reaches this number of names; at least 1
   */
  CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax);

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
