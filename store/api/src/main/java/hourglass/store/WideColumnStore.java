package hourglass.store;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * A map of sorted maps, {@code Map<RowKey, SortedMap<TimeUuid, payload>>}, that survives crashes.
 *
 * <p>Every write is an idempotent upsert. If two payloads are written under one name, the larger
 * one stays: they are compared as unsigned bytes, and a prefix is smaller than the longer payload.
 * So the order of writes never matters. Only durable columns are visible.
 *
 * <p>Implementations are thread-safe. Stages complete exceptionally with {@link
 * OverloadedException} (nothing was written, try again later), {@link TooLargeException} (never try
 * again), {@link UnavailableException} (not now; a write may or may not have happened), or {@link
 * CorruptException}.
 */
public interface WideColumnStore extends AutoCloseable {

  /**
   * Upserts columns. Each mutation is atomic, but several mutations together are not. The stage
   * completes once all columns are visible, and durable as the engine promises. With {@link
   * Limitation#SPLITS_LARGE_WRITES}, only small mutations are atomic.
   *
   * @param mutations may contain a row more than once
   */
  default CompletionStage<Void> write(List<Mutation> mutations) {
    return write(mutations, FirstTimes.NONE, SharedRoom.NOBODY);
  }

  /**
   * Upserts columns like {@link #write(List)}, and stores first times together with the columns or
   * before them. An engine whose room for new rows is bounded shares that room between clients, and
   * fails with {@link OverloadedException} for a client that exceeds its share.
   *
   * @param firstTimes answers of {@link #firstTimes}
   * @param client the sender, compared by equality; {@link SharedRoom#NOBODY} if unknown
   */
  CompletionStage<Void> write(List<Mutation> mutations, FirstTimes firstTimes, Object client);

  /**
   * Looks up the time at which each event was first found. An event that has an identity but no
   * time gets its column name from this first time, so that a repeat writes the same column. Once a
   * write has stored a first time, the engine keeps it at least until its window has passed since
   * the event was found. No first time is forgotten early: the stage fails with {@link
   * OverloadedException} if the engine can keep no more of them for this client, and the exception
   * says when it can. First times are common to all clients.
   *
   * @param found the events, with the times of this attempt
   * @param client the sender, as in {@link #write(List, FirstTimes, Object)}
   * @return the same events in the same order, with the times of their first attempts
   */
  CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client);

  /**
   * Returns a view of this store that reads rows and directories on {@code threads}, if its reads
   * need threads. So the caller decides which reads run first.
   */
  default WideColumnStore readingOn(Executor threads) {
    return this;
  }

  /** Reads a part of a row. A row that does not exist has no columns. */
  CompletionStage<Slice> slice(SliceQuery query);

  /** Counts exactly, without reading payloads. */
  CompletionStage<RowCounts> count(CountQuery query);

  /**
   * Reads the values of fields in a part of a row, counted by step. The filter judges the payload
   * that stays in the row under a name. The answer may be as large as the payloads in the range. An
   * engine that keeps fields apart may compute it in the calling thread.
   */
  default CompletionStage<FieldValues> values(FieldQuery query) {
    return query.readSlices(this);
  }

  /** Whether {@link #values} costs less than reading payloads. This is answered from memory. */
  default boolean keepsFieldsApart() {
    return false;
  }

  /**
   * The rows of an hour that have columns, sorted by key. A row is listed before its first column
   * is acknowledged.
   */
  CompletionStage<List<RowEntry>> rows(Hour hour);

  /**
   * Leaves out rows that have no column which passes a filter, as far as that is known without
   * reading rows. An engine that does not know returns all rows.
   *
   * @param rows entries of {@link #rows}, all of one hour
   * @return the others in the same order
   */
  default CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> rows, FieldFilter filter) {
    return CompletableFuture.completedFuture(rows);
  }

  /**
   * Returns an object that stays the same as long as no erasure begins. What was read before it
   * changed may contain columns that no answer may show any more; it should be read again. When the
   * bytes of erased columns leave the store later, answers stay as they are, and so does the
   * object.
   */
  default CompletionStage<Object> erasureMark() {
    return CompletableFuture.completedFuture(WideColumnStore.class);
  }

  /** The hours in {@code [from, to]}, both included, that have rows; ascending. */
  CompletionStage<List<Hour>> hours(Hour from, Hour to);

  /**
   * Publishes a writer's claims on rows of a type hour, and then reads all claims. A claim replaces
   * the previous one of the same shard and writer, in the order of the calls; it creates no row. If
   * two calls overlap in time, at least one sees the claims of the other. So several processes can
   * fill rows of one type hour, and no row exceeds its target.
   *
   * <p>Columns that existed before the first claim are reported as a claim of {@link
   * ShardClaim#NO_WRITER}; after claims were evicted, such columns are reported again. So the
   * claims on a row, without those of this call, never add up to less than the row contained at the
   * time.
   *
   * @param claims any number; with none, unclaimed columns are still reported
   */
  CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims);

  /**
   * Reads all claims on rows of a type hour, and changes nothing. Unclaimed columns are reported
   * only as far as an earlier {@link #claim} found them.
   */
  CompletionStage<List<ShardClaim>> claims(TypeHour typeHour);

  /**
   * Reads records of late arrivals. Without them, a tail would miss columns that become visible at
   * names before its position. A column is late if it becomes visible more than {@code settle}
   * after its own time. The engine sets {@code settle}, and may treat more columns as late. The
   * record is stored before the write is acknowledged. A column that is written again is not
   * recorded again, as far as the engine knows that it was in its type hour before.
   *
   * <p>So a tick and a place describe everything that a reader has delivered: the columns before
   * the tick that have no record, and the records up to the place.
   *
   * @param after exclusive; {@link LateArrivalPlace#NEWEST} reads no record, only the settled tick
   * @param namesMax the answer ends with the record that reaches this number of names; at least 1
   */
  CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax);

  /**
   * Deletes all rows of an hour. If it has any, {@link #dropped} names the hour from now on; that
   * is durable before the first row is gone. Later writes to the hour succeed.
   */
  CompletionStage<Void> drop(Hour hour);

  /**
   * Deletes the rows of one type in an hour, like {@link #drop(Hour)}; {@link #dropped} then names
   * this type of the hour. Fails with UnsupportedOperationException if the engine {@link
   * Limitation#DROPS_WHOLE_HOURS drops whole hours} only.
   */
  CompletionStage<Void> drop(TypeHour typeHour);

  /**
   * The hours in {@code [from, to]}, both included, of which rows were dropped, and the types of
   * those that were not dropped whole, whether or not they have rows again. A read that finds no
   * row of an hour because it was dropped is followed by an answer of this that contains the hour.
   */
  CompletionStage<DroppedHours> dropped(Hour from, Hour to);

  /**
   * Foresees which hours the store deletes next by itself.
   *
   * @param hoursMax the most hours in the answer; at least 1
   */
  CompletionStage<RetentionOutlook> outlook(int hoursMax);

  /** Fails with the reason if a write would probably fail now. */
  CompletionStage<Void> check();

  /**
   * Returns how far a clock that was set back is behind the latest time it gave. The duration is
   * zero within the few seconds of normal corrections. Until the clock has caught up, all columns
   * are recorded as late. This is answered from memory.
   */
  default Duration clockBehind() {
    return Duration.ZERO;
  }

  /**
   * Returns the nodes that keep a row or would keep it, the first owner first. The list is empty if
   * the store has only one place, or while the engine does not know the nodes. This is answered
   * from memory.
   */
  default List<String> placement(RowKey row) {
    return List.of();
  }

  /**
   * Names the parts of the hours in {@code [from, to]} that are missing or may be, where an
   * operator allowed the store to start without them. Answers that cover these parts are
   * incomplete. This is answered from memory.
   *
   * @param types the types of an answer; a part that has none of them is left out, if its types are
   *     known
   * @return names for a person; if there are very many, only the first of them
   */
  default List<String> missing(Hour from, Hour to, Predicate<String> types) {
    return List.of();
  }

  /** Names the missing parts of all types. */
  default List<String> missing(Hour from, Hour to) {
    return missing(from, to, type -> true);
  }

  /** The promises that this engine cannot keep. */
  default Set<Limitation> limitations() {
    return Set.of();
  }

  /** Makes every accepted write durable, then releases files and connections. Idempotent. */
  @Override
  void close();
}
