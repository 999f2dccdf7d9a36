package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.bytes.Spans;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.DroppedHours;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Limitation;
import hourglass.store.Mutation;
import hourglass.store.RetentionOutlook;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.erasure.BlankedMembers;
import hourglass.store.erasure.ErasableStore;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureJournal;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An obviously correct store: a sorted map of sorted maps under one lock, with an object per
 * column. Every call is complete when it returns. Thread-safe; for tests that need no particular
 * engine.
 */
public final class OracleStore implements ErasableStore {
  private final TreeMap<RowKey, OracleRow> rows = new TreeMap<>();
  private final TreeMap<RowKey, Map<String, ShardClaim>> claims = new TreeMap<>();

  private final OracleArrivals arrivals;
  private final Map<Event, Long> firstTimes = new HashMap<>();
  private DroppedHours dropped = DroppedHours.NONE;
  private final OracleErasures erasures = new OracleErasures(this::erase);

  /** Marks never repeat, even if a row is dropped and written again. */
  private long lastMark;

  private boolean closed;

  private record Event(long lsb, long more) {}

  /** Treats columns as late two seconds after their time. */
  public OracleStore() {
    this(Clock.systemUTC(), Duration.ofSeconds(2));
  }

  /** Columns are late {@code settle} after their time. */
  public OracleStore(Clock clock, Duration settle) {
    arrivals = new OracleArrivals(clock, settle);
  }

  @Override
  public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes firsts, Object client) {
    return run(
        () -> {
          keep(firsts);
          for (Mutation mutation : mutations) {
            arrivals.add(mutation, () -> rowsOf(mutation.row().typeHour()));
            rows.computeIfAbsent(mutation.row(), OracleRow::new)
                .upsert(mutation.columns(), ++lastMark);
          }
        });
  }

  /** Forgets nothing, and has room for all. */
  @Override
  public CompletionStage<FirstTimes> firstTimes(FirstTimes found, Object client) {
    return answer(() -> keep(found));
  }

  private FirstTimes keep(FirstTimes found) {
    long[] kept = new long[found.size()];
    for (int i = 0; i < kept.length; i++) {
      Event event = new Event(found.lsb(i), found.more(i));
      Long before = firstTimes.putIfAbsent(event, found.ticks(i));
      kept[i] = before == null ? found.ticks(i) : before;
    }
    return found.at(kept);
  }

  private List<OracleRow> rowsOf(TypeHour typeHour) {
    return rows.entrySet().stream()
        .filter(row -> row.getKey().hour().equals(typeHour.hour()))
        .filter(row -> row.getKey().type().equals(typeHour.type()))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
    return answer(() -> arrivals.after(after, namesMax));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return answer(() -> row(query.row()).slice(query));
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return answer(() -> row(query.row()).count(query));
  }

  @Override
  public CompletionStage<FieldValues> values(FieldQuery query) {
    return ErasableStore.super.values(query).thenApply(all -> apart(all, query));
  }

  /** The values of all columns that match, and in which the fields are found, for certain. */
  private static FieldValues apart(FieldValues all, FieldQuery query) {
    FieldValues values = new FieldValues(query.fields().size());
    for (Columns columns : all.whole()) {
      for (int i = 0; i < columns.size(); i++) {
        byte[] payload = columns.payload(i);
        Spans places = places(payload, query);
        if (places == null) {
          values.addWhole(columns.subColumns(i, i + 1));
        } else {
          values.add(query.part().step(columns.ticks(i)), payload, places, 1);
        }
      }
    }
    return values;
  }

  private static @Nullable Spans places(byte[] payload, FieldQuery query) {
    FieldFilter filter = query.filter();
    if (filter != null) {
      Spans judged = filter.find(payload, 0, payload.length);
      if (judged == null || !filter.surelyMatches(payload, judged)) {
        return null;
      }
    }
    Spans places = new Spans(query.fields().size());
    for (int f = 0; f < query.fields().size(); f++) {
      Spans place = query.fields().get(f).find(payload, 0, payload.length);
      if (place == null) {
        return null;
      }
      places.set(f, place.start(0), place.end(0));
    }
    return places;
  }

  @Override
  public boolean keepsFieldsApart() {
    return true;
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return answer(
        () ->
            rows.entrySet().stream()
                .filter(row -> row.getKey().hour().equals(hour))
                .map(row -> row.getValue().entry())
                .toList());
  }

  @Override
  public CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> some, FieldFilter filter) {
    return answer(() -> some.stream().filter(entry -> row(entry.row()).mayMatch(filter)).toList());
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return answer(
        () ->
            rows.keySet().stream()
                .map(RowKey::hour)
                .filter(hour -> from.compareTo(hour) <= 0 && hour.compareTo(to) <= 0)
                .distinct()
                .toList());
  }

  @Override
  public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claimed) {
    return answer(
        () -> {
          // A new claim covers future columns only, so existing ones are registered first.
          rows.values().stream()
              .map(OracleRow::entry)
              .filter(entry -> entry.row().typeHour().equals(typeHour))
              .forEach(this::registerUnclaimed);
          claimed.forEach(claim -> claims(typeHour.row(claim.shard())).put(claim.writer(), claim));
          return allClaims(typeHour);
        });
  }

  @Override
  public CompletionStage<List<ShardClaim>> claims(TypeHour typeHour) {
    return answer(() -> allClaims(typeHour));
  }

  private List<ShardClaim> allClaims(TypeHour typeHour) {
    return claims.entrySet().stream()
        .filter(row -> row.getKey().typeHour().equals(typeHour))
        .flatMap(row -> row.getValue().values().stream())
        .toList();
  }

  private Map<String, ShardClaim> claims(RowKey row) {
    return claims.computeIfAbsent(row, any -> new TreeMap<>());
  }

  private void registerUnclaimed(RowEntry entry) {
    Map<String, ShardClaim> claims = claims(entry.row());
    long columns = entry.columns();
    long bytes = entry.bytes();
    for (ShardClaim claim : claims.values()) {
      columns -= claim.columns();
      bytes -= claim.bytes();
    }
    if (columns > 0 || bytes > 0) {
      ShardClaim more =
          new ShardClaim(
              entry.row().shard(),
              ShardClaim.NO_WRITER,
              false,
              Math.max(0, columns),
              Math.max(0, bytes));
      claims.merge(ShardClaim.NO_WRITER, more, OracleStore::sum);
    }
  }

  private static ShardClaim sum(ShardClaim a, ShardClaim b) {
    return new ShardClaim(
        a.shard(), a.writer(), false, a.columns() + b.columns(), a.bytes() + b.bytes());
  }

  @Override
  public CompletionStage<Void> drop(Hour hour) {
    return run(
        () -> {
          if (rows.keySet().removeIf(key -> key.hour().equals(hour))) {
            dropped = dropped.and(DroppedHours.of(List.of(hour)));
          }
          claims.keySet().removeIf(key -> key.hour().equals(hour));
        });
  }

  @Override
  public CompletionStage<Void> drop(TypeHour typeHour) {
    return run(
        () -> {
          if (rows.keySet().removeIf(key -> key.typeHour().equals(typeHour))) {
            dropped = dropped.and(DroppedHours.of(typeHour));
          }
          claims.keySet().removeIf(key -> key.typeHour().equals(typeHour));
        });
  }

  @Override
  public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
    return answer(() -> dropped.within(from, to));
  }

  @Override
  public ErasureJournal erasures() {
    return erasures;
  }

  private synchronized void erase(Erasure erasure) {
    BlankedMembers blanked = new BlankedMembers(erasure.blanked());
    for (ErasedRow erased : erasure.rows()) {
      for (OracleRow row : rowsOf(erased.row().typeHour())) {
        row.erase(erased.names(), blanked, ++lastMark);
      }
      if (erasure.blanked().isEmpty()) {
        arrivals.erase(erased);
      }
    }
    rows.values().removeIf(OracleRow::isEmpty);
  }

  /** Deletes nothing by itself. */
  @Override
  public CompletionStage<RetentionOutlook> outlook(int hoursMax) {
    return answer(() -> new RetentionOutlook(null, null, List.of()));
  }

  @Override
  public CompletionStage<Void> check() {
    return run(() -> {});
  }

  /** Seals all rows, even those whose hour is not over. */
  public synchronized void sealNow() {
    rows.values().forEach(OracleRow::seal);
  }

  @Override
  public Set<Limitation> limitations() {
    return Set.of(Limitation.FORGETS_ON_CLOSE);
  }

  @Override
  public synchronized void close() {
    closed = true;
    rows.clear();
    claims.clear();
    arrivals.clear();
    dropped = DroppedHours.NONE;
  }

  private OracleRow row(RowKey key) {
    OracleRow row = rows.get(key);
    return row != null ? row : new OracleRow(key);
  }

  private CompletionStage<Void> run(Runnable work) {
    return answer(
        () -> {
          work.run();
          return null;
        });
  }

  private synchronized <T> CompletionStage<T> answer(Supplier<? extends T> work) {
    return closed
        ? CompletableFuture.failedFuture(new UnavailableException("store: closed"))
        : CompletableFuture.completedFuture(work.get());
  }
}
