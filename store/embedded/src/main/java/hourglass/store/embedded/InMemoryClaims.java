package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import java.io.Closeable;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The claims of this process. They are in memory, as no other process writes to this store. The
 * first request for a type hour counts the columns of earlier processes. Thread-safe.
 */
final class InMemoryClaims implements Closeable {
  /**
   * The greatest number of claims and type hours together, some hundred bytes each: enough for a
   * day of 50,000 events a second. The least recently claimed are evicted. A writer then treats its
   * own columns as unclaimed, and leaves a shared row early, never late.
   */
  static final int REMEMBERED_MAX = 50_000;

  private record ClaimKey(int shard, String writer) {}

  private final Hours hours;
  private final Readers readers;

  private final LinkedHashMap<TypeHour, Map<ClaimKey, ShardClaim>> claims = new LinkedHashMap<>();

  private int remembered;

  /**
   * @param readers closed with this; not those of other reads, for which writes would wait
   */
  InMemoryClaims(Hours hours, Readers readers) {
    this.hours = hours;
    this.readers = readers;
  }

  CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> published) {
    synchronized (this) {
      if (claims.containsKey(typeHour)) {
        return CompletableFuture.completedFuture(put(typeHour, List.of(), published));
      }
    }
    List<ShardClaim> counted = countedAtOnce(typeHour);
    return counted != null
        ? CompletableFuture.completedFuture(put(typeHour, counted, published))
        : readers.submit(() -> put(typeHour, counted(typeHour), published));
  }

  /**
   * Counts in the calling thread; null if the hour must be loaded first. So thousands of new types
   * need not wait for one thread.
   */
  private @Nullable List<ShardClaim> countedAtOnce(TypeHour typeHour) {
    Hour hour = typeHour.hour();
    return hours.known(hour, hour).isEmpty()
        ? List.of()
        : hours.ifLoaded(hour, state -> counted(state, typeHour.type()));
  }

  /** Returns the claims of a type hour. A look at them does not delay their eviction. */
  synchronized List<ShardClaim> published(TypeHour typeHour) {
    return List.copyOf(claims.getOrDefault(typeHour, Map.of()).values());
  }

  private synchronized List<ShardClaim> put(
      TypeHour key, List<ShardClaim> counted, List<ShardClaim> published) {
    Map<ClaimKey, ShardClaim> all = claims.remove(key);
    if (all == null) {
      all = new HashMap<>();
      putAll(all, counted);
      remembered++;
    }
    claims.put(key, all);
    putAll(all, published);
    List<ShardClaim> answer = List.copyOf(all.values());
    forgetEldest();
    return answer;
  }

  private void forgetEldest() {
    Iterator<Map<ClaimKey, ShardClaim>> eldest = claims.values().iterator();
    while (remembered > REMEMBERED_MAX && claims.size() > 1) {
      remembered -= 1 + eldest.next().size();
      eldest.remove();
    }
  }

  private void putAll(Map<ClaimKey, ShardClaim> all, List<ShardClaim> published) {
    int before = all.size();
    published.forEach(claim -> all.put(new ClaimKey(claim.shard(), claim.writer()), claim));
    remembered += all.size() - before;
  }

  synchronized int remembered() {
    return remembered;
  }

  private List<ShardClaim> counted(TypeHour typeHour) {
    return hours.with(typeHour.hour(), state -> counted(state, typeHour.type()));
  }

  private static List<ShardClaim> counted(LoadedHour state, String type) {
    return state.directory(type).stream()
        .map(
            row ->
                new ShardClaim(
                    row.row().shard(), ShardClaim.NO_WRITER, false, row.columns(), row.bytes()))
        .toList();
  }

  void forget(Hour hour) {
    forget(typeHour -> typeHour.hour().equals(hour));
  }

  void forget(TypeHour typeHour) {
    forget(typeHour::equals);
  }

  private synchronized void forget(Predicate<TypeHour> isGone) {
    claims
        .entrySet()
        .removeIf(
            each -> {
              boolean gone = isGone.test(each.getKey());
              remembered -= gone ? 1 + each.getValue().size() : 0;
              return gone;
            });
  }

  @Override
  public void close() {
    readers.close();
  }
}
