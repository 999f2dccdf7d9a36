package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.planner.ShardClaim;
import hourglass.store.RowEntry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Tells claims to all processes. Where this one is the first to claim, or claims may have ended,
 * the columns that the directory has beyond them are claimed too, in the name of nobody: those of
 * writers that do not claim, and those of long ago. Thread-safe.
 */
final class Claims {
  /** Hours and types whose columns were compared with their claims, some hundred bytes each. */
  private static final int COMPARED_MAX = 50_000;

  /** Less than the time to live in directory.cql. */
  private static final Duration STAND = Duration.ofDays(29);

  /** So long columns go untold whose claims ended after they were compared. */
  private static final long COMPARED_NANOS = TimeUnit.HOURS.toNanos(1);

  private record HourOf(Tables tables, Hour hour) {}

  private record Key(Hour hour, int generation, String type) {}

  private final HourStates hours;
  private final OneAtATime<HourOf, List<Directory.Found>> rows;
  private final Clock clock;
  private final LongSupplier nanoTime;

  /** When that was. */
  private final Map<Key, Long> compared =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Long> eldest) {
          return size() > COMPARED_MAX;
        }
      };

  /**
   * @param clock for how old an hour is
   * @param nanoTime a clock that never steps back
   */
  Claims(HourStates hours, Directory directory, Clock clock, LongSupplier nanoTime) {
    this.hours = hours;
    this.rows = new OneAtATime<>(of -> directory.rows(of.tables(), of.hour()));
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** As {@link hourglass.store.WideColumnStore#claim}. */
  CompletionStage<List<ShardClaim>> claim(
      Tables tables, Hour hour, String type, List<ShardClaim> told) {
    return hours
        .of(hour)
        .thenCompose(state -> claim(tables, new Key(hour, state.generation(), type), told));
  }

  /** As {@link hourglass.store.WideColumnStore#claims}. */
  CompletionStage<List<ShardClaim>> all(Tables tables, Hour hour, String type) {
    return hours.of(hour).thenCompose(state -> tables.claims().all(hour, state.generation(), type));
  }

  private CompletionStage<List<ShardClaim>> claim(Tables tables, Key key, List<ShardClaim> told) {
    Set<String> tellers = told.stream().map(ShardClaim::writer).collect(Collectors.toSet());
    return tables
        .claims()
        .put(key.hour(), key.generation(), key.type(), told)
        .thenCompose(done -> tables.claims().all(key.hour(), key.generation(), key.type()))
        .thenCompose(
            all ->
                all.stream().allMatch(claim -> tellers.contains(claim.writer()))
                        || mayHaveEnded(key)
                    ? compared(tables, key, all)
                    : CompletableFuture.completedFuture(all));
  }

  private boolean mayHaveEnded(Key key) {
    return clock.instant().isAfter(key.hour().start().plus(STAND));
  }

  private CompletionStage<List<ShardClaim>> compared(Tables tables, Key key, List<ShardClaim> all) {
    if (isCompared(key)) {
      return CompletableFuture.completedFuture(all);
    }
    // All types of an hour begin at one moment, and each would read the rows of all.
    return rows.ask(new HourOf(tables, key.hour()))
        .thenCompose(
            found -> {
              List<ShardClaim> unclaimed = unclaimed(found, key.type(), all);
              return tables
                  .claims()
                  .put(key.hour(), key.generation(), key.type(), unclaimed)
                  .thenApply(
                      done -> {
                        remember(key);
                        return together(all, unclaimed);
                      });
            });
  }

  private static List<ShardClaim> together(List<ShardClaim> all, List<ShardClaim> unclaimed) {
    List<ShardClaim> together = new ArrayList<>(unclaimed);
    Set<Integer> shards = unclaimed.stream().map(ShardClaim::shard).collect(Collectors.toSet());
    for (ShardClaim claim : all) {
      if (!claim.writer().equals(ShardClaim.NOBODY) || !shards.contains(claim.shard())) {
        together.add(claim);
      }
    }
    return together;
  }

  /**
   * What the rows of a type have beyond what is claimed of them, with what nobody claimed before.
   */
  private static List<ShardClaim> unclaimed(
      List<Directory.Found> rows, String type, List<ShardClaim> claims) {
    List<ShardClaim> unclaimed = new ArrayList<>();
    for (Directory.Found row : rows) {
      if (row.entry().row().type().equals(type)) {
        unclaimed(row.entry(), claims, unclaimed);
      }
    }
    return unclaimed;
  }

  private static void unclaimed(RowEntry entry, List<ShardClaim> claims, List<ShardClaim> out) {
    int shard = entry.row().shard();
    long columns = 0;
    long bytes = 0;
    long before = 0;
    long bytesBefore = 0;
    for (ShardClaim claim : claims) {
      if (claim.shard() == shard) {
        columns += claim.columns();
        bytes += claim.bytes();
        boolean nobody = claim.writer().equals(ShardClaim.NOBODY);
        before += nobody ? claim.columns() : 0;
        bytesBefore += nobody ? claim.bytes() : 0;
      }
    }
    if (entry.columns() > columns || entry.bytes() > bytes) {
      out.add(
          new ShardClaim(
              shard,
              ShardClaim.NOBODY,
              false,
              before + Math.max(0, entry.columns() - columns),
              bytesBefore + Math.max(0, entry.bytes() - bytes)));
    }
  }

  private synchronized boolean isCompared(Key key) {
    Long nanos = compared.get(key);
    return nanos != null && nanoTime.getAsLong() - nanos < COMPARED_NANOS;
  }

  private synchronized void remember(Key key) {
    compared.put(key, nanoTime.getAsLong());
  }
}
