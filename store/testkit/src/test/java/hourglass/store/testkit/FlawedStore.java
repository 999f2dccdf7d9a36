package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.FirstTimes;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A sound store behind a {@link SeededBug} that changes its queries and answers. */
final class FlawedStore extends ForwardingStore {
  private final WideColumnStore sound;
  private final SeededBug flaw;

  FlawedStore(WideColumnStore sound, SeededBug flaw) {
    this.sound = sound;
    this.flaw = flaw;
  }

  @Override
  protected WideColumnStore delegate() {
    return sound;
  }

  @Override
  public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
    return super.write(mutations.stream().map(flaw::written).toList(), times, client);
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return super.values(flaw.query(query));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return super.slice(flaw.query(query)).thenApply(flaw::slice);
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return super.count(flaw.query(query)).thenApply(flaw::counts);
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return super.rows(hour).thenApply(flaw::entries);
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return super.hours(from, to).thenApply(flaw::hours);
  }
}
