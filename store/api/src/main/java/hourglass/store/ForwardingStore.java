package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Passes every call to another store. */
public abstract class ForwardingStore implements WideColumnStore {

  protected abstract WideColumnStore delegate();

  /** Makes each call that reads or claims. */
  protected <T> CompletionStage<T> read(Supplier<CompletionStage<T>> call) {
    return call.get();
  }

  @Override
  public CompletionStage<Void> write(
      List<Mutation> mutations, FirstTimes firstTimes, Object client) {
    return delegate().write(mutations, firstTimes, client);
  }

  @Override
  public CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client) {
    return read(() -> delegate().firstTimes(found, client));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return read(() -> delegate().slice(query));
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return read(() -> delegate().count(query));
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return read(() -> delegate().values(query));
  }

  @Override
  public boolean keepsFieldsApart() {
    return delegate().keepsFieldsApart();
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return read(() -> delegate().rows(hour));
  }

  @Override
  public CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> rows, FieldFilter filter) {
    return read(() -> delegate().mayMatch(rows, filter));
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return read(() -> delegate().hours(from, to));
  }

  @Override
  public CompletionStage<Object> erasureMark() {
    return read(() -> delegate().erasureMark());
  }

  @Override
  public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims) {
    return read(() -> delegate().claim(typeHour, claims));
  }

  @Override
  public CompletionStage<List<ShardClaim>> claims(TypeHour typeHour) {
    return read(() -> delegate().claims(typeHour));
  }

  @Override
  public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
    return read(() -> delegate().lateArrivals(after, namesMax));
  }

  @Override
  public List<String> missing(Hour from, Hour to, Predicate<String> types) {
    return delegate().missing(from, to, types);
  }

  @Override
  public CompletionStage<Void> drop(Hour hour) {
    return delegate().drop(hour);
  }

  @Override
  public CompletionStage<Void> drop(TypeHour typeHour) {
    return delegate().drop(typeHour);
  }

  @Override
  public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
    return read(() -> delegate().dropped(from, to));
  }

  @Override
  public CompletionStage<RetentionOutlook> outlook(int hoursMax) {
    return read(() -> delegate().outlook(hoursMax));
  }

  @Override
  public CompletionStage<Void> check() {
    return delegate().check();
  }

  @Override
  public Duration clockBehind() {
    return delegate().clockBehind();
  }

  @Override
  public List<String> placement(RowKey row) {
    return delegate().placement(row);
  }

  @Override
  public Set<Limitation> limitations() {
    return delegate().limitations();
  }

  @Override
  public void close() {
    delegate().close();
  }
}
