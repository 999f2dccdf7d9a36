package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A map of sorted maps, {@code Map<RowKey, SortedMap<TimeUuid, payload>>}, that survives crashes.
 *
 * <p>Every write is an idempotent upsert. The same name written with another payload keeps the
 * larger bytes (compared as unsigned bytes, the longer one where one is a prefix of the other), so
 * the outcome never depends on the order of arrival. Only durable columns are visible.
 *
 * <p>Implementations are safe for use by any number of threads. Stages complete exceptionally with
 * {@link OverloadedException} (nothing was written, try again later), {@link TooLargeException}
 * (and never will be), {@link UnavailableException} (the store cannot do it now; a write may or may
 * not have happened), or {@link CorruptException}.
 */
public interface WideColumnStore extends AutoCloseable {

  /**
   * Upserts the columns of some rows; atomic per mutation, not across rows. An engine with {@link
   * Limitation#SPLITS_LARGE_WRITES} promises that of small mutations only.
   *
   * @param mutations any number of rows; a row may come more than once
   * @return completes once all of it is durable by the engine's promise, and visible
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

  /**
   * Tells what writers may put into rows of an hour and type, and then reads what all told. A claim
   * replaces the one of its shard and writer, of two that are under way the one that was made
   * first; it makes no row. Of two calls at once, at least one sees the claims of the other, so
   * that a writer that sees none has the row for itself.
   *
   * <p>Columns that rows had when somebody first claimed of that hour and type are told as a claim
   * of {@link ShardClaim#NO_WRITER}, and so are they again where claims were forgotten. So what is
   * told of a row, without what this call claims, is never less than it had then.
   *
   * @param claims any number; with none, columns that nobody claimed are told all the same
   * @return every claim of that hour and type
   */
  CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims);

  /**
   * Reads what was told of an hour and type, and changes nothing: for those who only look. Columns
   * that nobody claimed are told only as far as a {@link #claim} found them before.
   */
  CompletionStage<List<ShardClaim>> claims(TypeHour typeHour);

  /**
   * Reads the notes of late columns, which let a reader that follows the clock deliver each column
   * once. A column is late if it was not visible yet when its time was {@code settle} ago, which is
   * the engine's to be told; the engine may call more of them late. It is noted before it is
   * visible, or, where that took long, before it is acknowledged at the latest. A column that was
   * there before, in any row of its hour and type, is not noted again, as far as the engine knows.
   *
   * <p>So a reader that has delivered what was visible before a tick, and all notes up to a place,
   * knows what it has delivered from these two: what has no note and lies before the tick, and what
   * was noted up to the place.
   *
   * @param after behind which place; {@link LateArrivalPlace#START}: from the oldest on; {@link
   *     LateArrivalPlace#NEWEST}: no note, only how far all is settled
   * @param namesMax the notes end with the one that reaches so many names, at least 1
   */
  CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax);

  /** Deletes an hour whole: all rows of all types. Columns written later are welcome. */
  CompletionStage<Void> drop(Hour hour);

  /** Completes normally if a write would probably succeed now, else with the reason. */
  CompletionStage<Void> check();

  /**
   * How far the clock is behind the latest time it gave, because it was set back; zero within the
   * few seconds that a clock is kept right by. Meanwhile the store calls all columns late. Answered
   * from memory.
   */
  default Duration clockBehind() {
    return Duration.ZERO;
  }

  /**
   * Where a row lives or would live: the nodes that keep it, the first owner first. Answered from
   * memory; empty where there is one place only, or while the engine does not know.
   */
  default List<String> placement(RowKey row) {
    return List.of();
  }

  /**
   * What is known to be missing of the hours in {@code [from, to]}, or may be, and is served
   * without since somebody allowed it: answers over them are not complete. Answered from memory.
   *
   * @return names for a person, and of very many the first; empty if all is there
   */
  default List<String> missing(Hour from, Hour to) {
    return List.of();
  }

  /** What this engine cannot do. Everything else, every contract test runs. */
  default Set<Limitation> limitations() {
    return Set.of();
  }

  /** Makes everything taken durable, then lets go of files and connections. Idempotent. */
  @Override
  void close();
}
