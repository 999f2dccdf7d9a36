package hourglass.query.count;

import hourglass.bucketing.TimeUuid;
import hourglass.query.Steps;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.FilterTurn;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of fields from a store that keeps fields apart. Large rows are read in ranges,
 * each of which fits into a query's buffer, provided that the row's events are spread evenly.
 */
final class FieldValuesReader {
  /** The size of an entry in an answer without its values: its step and its count. */
  private static final int ENTRY_BYTES = 8;

  private static final int LENGTH_BYTES = 4;

  private final StoreAccess access;
  private final @Nullable EventFilter filter;

  /** The filter in the form for the store; null if there is none. */
  private final @Nullable FieldFilter inStore;

  private final AnswerRows answerRows;

  private FieldValuesReader(
      StoreAccess access,
      @Nullable EventFilter filter,
      @Nullable FieldFilter inStore,
      AnswerRows answerRows) {
    this.access = access;
    this.filter = filter;
    this.inStore = inStore;
    this.answerRows = answerRows;
  }

  /**
   * Returns a reader for rows of one type. It is null if the store must return payloads, because it
   * does not keep fields apart, or cannot evaluate the filter.
   */
  static @Nullable FieldValuesReader of(
      StoreAccess access, String type, @Nullable EventFilter filter, AnswerRows answerRows) {
    FieldFilter inStore = filter == null ? null : filter.decidingFields(type);
    boolean isJudged = filter == null || inStore != null;
    return isJudged && access.store().keepsFieldsApart()
        ? new FieldValuesReader(access, filter, inStore, answerRows)
        : null;
  }

  /**
   * Reads a range of a row in which no other row contains a name of this row. The batch is used by
   * one thread at a time.
   */
  CompletionStage<?> read(RowEntry row, ColumnRange range, EventBatch.OfFields batch) {
    return FanOut.forEach(ranges(row, range, batch), 1, access, part -> readPart(row, part, batch))
        .exceptionallyCompose(
            failure ->
                answerRows.mayMiss(row.row(), failure)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletionStage<?> readPart(RowEntry row, ColumnRange part, EventBatch.OfFields batch) {
    if (answerRows.isMissing(row.row())) {
      return CompletableFuture.completedFuture(null);
    }
    FieldQuery query = new FieldQuery(counted(row, part, batch.steps()), batch.fields(), inStore);
    long bytes = Math.min(bytes(row, batch), access.options().bufferBytes() / 2);
    return access
        .account()
        .during(
            bytes,
            () -> {
              CompletionStage<FieldValues> answer = access.store().values(query);
              boolean isThere = answer.toCompletableFuture().isDone();
              return answer.thenComposeAsync(
                  values -> new Taking(values, row, batch).run(),
                  isThere ? Runnable::run : access.executor());
            });
  }

  private static CountQuery counted(RowEntry row, ColumnRange range, Steps steps) {
    return steps.isWhole()
        ? CountQuery.all(row.row()).of(row.row(), range)
        : new CountQuery(row.row(), range, steps.range().fromTicks(), steps.ticks());
  }

  /** Passes an answer to a batch in turns, so that other queries have theirs. */
  private final class Taking {
    private final FieldValues values;
    private final String type;
    private final EventBatch.OfFields batch;
    private final FilterTurn turn = new FilterTurn();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private int nextEntry;
    private final Iterator<Columns> whole;
    private Columns columns = Columns.EMPTY;
    private int next;

    Taking(FieldValues values, RowEntry row, EventBatch.OfFields batch) {
      this.values = values;
      this.type = row.row().type();
      this.batch = batch;
      whole = values.whole().iterator();
    }

    CompletionStage<Void> run() {
      turn();
      return done;
    }

    private void turn() {
      try {
        access.check();
        turn.begin();
        if (takeEntries() && takePayloads()) {
          done.complete(null);
        } else {
          access.executor().execute(this::turn);
        }
      } catch (RuntimeException | Error e) { // the executor would drop an Error unseen
        done.completeExceptionally(e);
      }
    }

    /** Adds entries. Returns false at the end of the turn. */
    private boolean takeEntries() {
      for (; nextEntry < values.size(); nextEntry++) {
        if (!turn.takes(0)) {
          return false;
        }
        batch.take(values, nextEntry);
      }
      return true;
    }

    /** Adds the payloads that pass the filter. Returns false at the end of the turn. */
    private boolean takePayloads() {
      while (next < columns.size() || whole.hasNext()) {
        if (next == columns.size()) {
          columns = whole.next();
          next = 0;
        } else if (!turn.takes(columns.length(next))) {
          return false;
        } else {
          access.check();
          if (filter == null || filter.takes(type, columns, next)) {
            batch.take(columns, next);
          }
          next++;
        }
      }
      return true;
    }
  }

  private static long bytes(RowEntry row, EventBatch.OfFields batch) {
    long entryBytes = ENTRY_BYTES + (long) LENGTH_BYTES * batch.fields().size();
    return row.bytes() + entryBytes * row.columns();
  }

  private List<ColumnRange> ranges(RowEntry row, ColumnRange range, EventBatch.OfFields batch) {
    long partBytes = access.options().bufferBytes() / 2;
    long parts = Math.max(1, (bytes(row, batch) + partBytes - 1) / partBytes);
    long first = row.first().ticks();
    long step = (row.last().ticks() - first) / parts + 1;
    List<ColumnRange> ranges = new ArrayList<>();
    TimeUuid from = range.from();
    for (long part = 1; part < parts; part++) {
      TimeUuid to = TimeUuid.first(first + part * step);
      if (to.compareTo(from) > 0 && to.compareTo(range.to()) < 0) {
        ranges.add(new ColumnRange(from, to));
        from = to;
      }
    }
    ranges.add(new ColumnRange(from, range.to()));
    return ranges;
  }
}
