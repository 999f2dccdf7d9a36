package hourglass.store.erasure;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.ColumnCounter;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.FirstTimes;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A store whose erased columns are in no answer from the moment of the erasure on, while the engine
 * still removes their bytes. A repeat of an erased event is accepted and not stored. Thread-safe.
 *
 * <p>A row with columns to hide is read by its slices, also where it is counted, so that there is
 * one place that hides. All other rows are read as the engine reads them. Caches of rows belong
 * above this store.
 */
public final class ErasingStore extends ForwardingStore {
  /** The columns that are read at a time to count a row with hidden ones. */
  private static final int SLICE_COLUMNS_MAX = 4_096;

  private final WideColumnStore engine;
  private final ErasureJournal journal;
  private final WritesUnderWay writes;
  private final LongAdder repeats;

  private ErasingStore(
      WideColumnStore engine, ErasureJournal journal, WritesUnderWay writes, LongAdder repeats) {
    this.engine = engine;
    this.journal = journal;
    this.writes = writes;
    this.repeats = repeats;
  }

  /** Returns the view of an engine that hides what is erased. A close of it closes the engine. */
  public static ErasingStore over(ErasableStore engine) {
    return new ErasingStore(engine, engine.erasures(), new WritesUnderWay(), new LongAdder());
  }

  @Override
  protected WideColumnStore delegate() {
    return engine;
  }

  @Override
  public WideColumnStore readingOn(Executor threads) {
    return new ErasingStore(engine.readingOn(threads), journal, writes, repeats);
  }

  /**
   * Erases columns. When the stage completes, no answer has them, and a restart does not bring them
   * back; their bytes leave the store afterwards ({@link #erasures}). An erasure that fails may or
   * may not have begun.
   */
  public CompletionStage<Void> erase(Erasure erasure) {
    return journal
        .begin(erasure)
        .thenRun(
            () -> {
              // The rewrite must find every column that a write under way still adds.
              var unused = writes.ended().thenCompose(ended -> journal.rewrite(erasure.id()));
            });
  }

  /** Returns the erasures of this store. */
  public ErasureJournal erasures() {
    return journal;
  }

  /** Returns how many repeats of erased events were not stored since the start. */
  public long repeats() {
    return repeats.sum();
  }

  @Override
  public CompletionStage<Void> write(
      List<Mutation> mutations, FirstTimes firstTimes, Object client) {
    return writes.run(() -> erased(erased -> write(erased, mutations, firstTimes, client)));
  }

  /** Looks up first times. An erased event gets the time of this attempt, and is not looked up. */
  @Override
  public CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client) {
    return erased(
        erased -> {
          Repeats repeats = erased.repeats(found);
          int[] asked =
              IntStream.range(0, found.size()).filter(i -> !repeats.isUntimed(i)).toArray();
          if (asked.length == found.size()) {
            return engine.firstTimes(found, client);
          }
          return engine
              .firstTimes(found.some(asked), client)
              .thenApply(
                  kept -> {
                    long[] ticks =
                        IntStream.range(0, found.size()).mapToLong(found::ticks).toArray();
                    for (int i = 0; i < asked.length; i++) {
                      ticks[asked[i]] = kept.ticks(i);
                    }
                    return found.at(ticks);
                  });
        });
  }

  private CompletionStage<Void> write(
      ErasedColumns erased, List<Mutation> mutations, FirstTimes firstTimes, Object client) {
    if (erased.isEmpty()) {
      return engine.write(mutations, firstTimes, client);
    }
    Repeats found = erased.repeats(firstTimes);
    List<Mutation> rest = found.leaveOut(mutations);
    repeats.add(found.count());
    return engine.write(rest, found.leaveOutFirstTimes(), client);
  }

  /** Calls with the columns that are erased now, in the calling thread if they are known. */
  private <T> CompletionStage<T> erased(Function<ErasedColumns, CompletionStage<T>> call) {
    return journal.current().thenCompose(call);
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return erased(
        erased -> {
          HiddenColumns hidden = erased.hidden(query.row());
          return hidden == null ? engine.slice(query) : slice(query, hidden);
        });
  }

  private CompletionStage<Slice> slice(SliceQuery query, HiddenColumns hidden) {
    // A blanked payload may match although the stored one does not.
    SliceQuery whole =
        hidden.blanks() ? query.withFilter(null).withProjection(Projection.COLUMNS) : query;
    return engine.slice(whole).thenCompose(slice -> hide(query, whole, hidden, slice));
  }

  private CompletionStage<Slice> hide(
      SliceQuery asked, SliceQuery read, HiddenColumns hidden, Slice slice) {
    Columns left = hidden.apply(slice.columns());
    if (left.isEmpty() && slice.more()) {
      SliceQuery next =
          read.after(slice).withColumnsMax(Math.max(asked.columnsMax(), SLICE_COLUMNS_MAX));
      return engine.slice(next).thenCompose(more -> hide(asked, next, hidden, more));
    }
    Columns nearest = left.nearest(asked.columnsMax(), asked.order());
    boolean isCut = nearest.size() < left.size();
    return CompletableFuture.completedFuture(
        new Slice(
            asked.projection() == Projection.NAMES ? nearest.namesOnly() : nearest,
            isCut || slice.more(),
            isCut ? null : slice.resumeAt()));
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return erased(
        erased ->
            erased.hidden(query.row()) == null
                ? engine.count(query)
                : count(
                    new SliceQuery(
                        query.row(),
                        query.range(),
                        Order.ASCENDING,
                        SLICE_COLUMNS_MAX,
                        Projection.NAMES),
                    new ColumnCounter(query)));
  }

  private CompletionStage<RowCounts> count(SliceQuery query, ColumnCounter counter) {
    return slice(query)
        .thenCompose(
            slice -> {
              counter.add(slice.columns());
              return slice.more()
                  ? count(query.after(slice), counter)
                  : CompletableFuture.completedFuture(counter.counts());
            });
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return erased(
        erased ->
            erased.hidden(query.part().row()) == null
                ? engine.values(query)
                : query.readSlices(this));
  }

  /** Lists rows; one with hidden columns is not sealed, so that its counts are made anew. */
  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return erased(
        erased ->
            engine
                .rows(hour)
                .thenApply(
                    rows ->
                        erased.isEmpty()
                            ? rows
                            : rows.stream().map(row -> unsealedIfHidden(row, erased)).toList()));
  }

  /** Leaves out rows; those with hidden columns stay, since their payloads may be blanked. */
  @Override
  public CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> rows, FieldFilter filter) {
    return erased(
        erased -> {
          Set<RowKey> hidden =
              rows.stream()
                  .map(RowEntry::row)
                  .filter(row -> erased.hidden(row) != null)
                  .collect(Collectors.toSet());
          CompletionStage<List<RowEntry>> matching = engine.mayMatch(rows, filter);
          return hidden.isEmpty()
              ? matching
              : matching.thenApply(
                  some -> {
                    Set<RowKey> kept = new HashSet<>(hidden);
                    some.forEach(row -> kept.add(row.row()));
                    return rows.stream().filter(row -> kept.contains(row.row())).toList();
                  });
        });
  }

  @Override
  public CompletionStage<Object> erasureMark() {
    return journal.current().thenApply(ErasedColumns::mark);
  }

  private static RowEntry unsealedIfHidden(RowEntry row, ErasedColumns erased) {
    return erased.hidden(row.row()) == null ? row : row.withoutManifest();
  }
}
