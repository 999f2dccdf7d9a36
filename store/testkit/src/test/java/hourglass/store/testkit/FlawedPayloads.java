package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.FirstTimes;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;

/** Resolves two payloads of one name by a rule of its own. */
final class FlawedPayloads extends ForwardingStore {
  private final WideColumnStore sound;
  private final BinaryOperator<String> rule;
  private final Map<RowKey, Map<TimeUuid, String>> payloads = new HashMap<>();

  FlawedPayloads(WideColumnStore sound, BinaryOperator<String> rule) {
    this.sound = sound;
    this.rule = rule;
  }

  @Override
  protected WideColumnStore delegate() {
    return sound;
  }

  @Override
  public synchronized CompletionStage<Void> write(
      List<Mutation> mutations, FirstTimes times, Object client) {
    for (Mutation mutation : mutations) {
      Map<TimeUuid, String> row = payloads.computeIfAbsent(mutation.row(), k -> new HashMap<>());
      Column.unpack(mutation.columns()).forEach(c -> row.merge(c.name(), c.payload(), rule));
    }
    return super.write(mutations, times, client);
  }

  @Override
  public synchronized CompletionStage<Slice> slice(SliceQuery query) {
    Map<TimeUuid, String> row = payloads.getOrDefault(query.row(), Map.of());
    return super.slice(query)
        .thenApply(
            slice ->
                query.projection() == Projection.NAMES
                    ? slice
                    : new Slice(
                        Column.pack(
                            Column.unpack(slice.columns()).stream()
                                .map(column -> column.withPayload(row.get(column.name())))
                                .toList()),
                        slice.more()));
  }

  @Override
  public synchronized CompletionStage<Void> drop(Hour hour) {
    payloads.keySet().removeIf(row -> row.hour().equals(hour));
    return super.drop(hour);
  }
}
