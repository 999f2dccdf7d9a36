package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.RowEntry;
import hourglass.store.cassandra.driver.SingleFlight;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Publishes claims to all processes. The first claim of a type hour also registers columns that its
 * rows already have, as claims of {@link ShardClaim#NO_WRITER}. These belong to writers that do not
 * claim, or to claims that expired. All columns of a row count, since a new claim covers only
 * future columns.
 *
 * <p>The registration writes the claim of shard 0 last, even for zero columns, to mark its
 * completion. Until that claim exists, every claim repeats the registration, so races and crashes
 * cannot leave it undone. It expires a day before claims made after it, and is then repeated.
 * Thread-safe.
 */
final class Claims {
  private record Key(TypeHour typeHour, int generation) {}

  private record HourOf(ClaimTables tables, Hour hour, int generation) {}

  private final HourStates hours;
  private final SingleFlight<HourOf, List<Directory.Found>> rows;

  /**
   * @param hours reads through the requests of claims
   */
  Claims(HourStates hours, Directory directory) {
    this.hours = hours;
    // All types of an hour start at the same moment, and each would read the rows of all.
    this.rows =
        new SingleFlight<>(
            of -> directory.rows(of.tables().directory(), of.hour(), of.generation()));
  }

  /** As {@link hourglass.store.WideColumnStore#claim}. */
  CompletionStage<List<ShardClaim>> claim(
      ClaimTables tables, TypeHour typeHour, List<ShardClaim> told) {
    // Taken before any wait, so that a later claim overrides this one.
    long micros = tables.claims().nowMicros();
    return hours
        .of(typeHour.hour())
        .thenCompose(state -> claim(tables, new Key(typeHour, state.generation()), told, micros))
        .thenApply(Claims::ofColumns);
  }

  /** As {@link hourglass.store.WideColumnStore#claims}. */
  static CompletionStage<List<ShardClaim>> all(
      HourStates hours, ClaimsTable table, TypeHour typeHour) {
    return hours
        .of(typeHour.hour())
        .thenCompose(state -> table.all(typeHour, state.generation()))
        .thenApply(Claims::ofColumns);
  }

  /** Omits empty claims without a writer, which only mark a completed registration. */
  private static List<ShardClaim> ofColumns(List<ShardClaim> all) {
    return all.stream()
        .filter(claim -> !isNobody(claim) || claim.columns() > 0 || claim.bytes() > 0)
        .toList();
  }

  private static boolean isNobody(ShardClaim claim) {
    return claim.writer().equals(ShardClaim.NO_WRITER);
  }

  private CompletionStage<List<ShardClaim>> claim(
      ClaimTables tables, Key key, List<ShardClaim> told, long micros) {
    ClaimsTable table = tables.claims();
    return table
        .put(key.typeHour(), key.generation(), told, micros)
        .thenCompose(done -> table.all(key.typeHour(), key.generation()))
        .thenCompose(
            all ->
                all.stream().anyMatch(claim -> claim.shard() == 0 && isNobody(claim))
                    ? CompletableFuture.completedFuture(all)
                    : withUnclaimed(tables, key, all));
  }

  private CompletionStage<List<ShardClaim>> withUnclaimed(
      ClaimTables tables, Key key, List<ShardClaim> all) {
    long micros = tables.claims().nowMicros();
    return rows.ask(new HourOf(tables, key.typeHour().hour(), key.generation()))
        .thenCompose(
            found -> {
              List<ShardClaim> unclaimed = unclaimed(found, key.typeHour().type());
              return putUnclaimed(tables.claims(), key, unclaimed, micros)
                  .thenApply(done -> together(all, unclaimed));
            });
  }

  private static List<ShardClaim> unclaimed(List<Directory.Found> rows, String type) {
    List<ShardClaim> unclaimed = new ArrayList<>();
    for (Directory.Found row : rows) {
      RowEntry entry = row.entry();
      if (entry.row().type().equals(type)) {
        unclaimed.add(ofNobody(entry.row().shard(), entry.columns(), entry.bytes()));
      }
    }
    return unclaimed;
  }

  private static ShardClaim ofNobody(int shard, long columns, long bytes) {
    return new ShardClaim(shard, ShardClaim.NO_WRITER, false, columns, bytes);
  }

  private static CompletionStage<Void> putUnclaimed(
      ClaimsTable table, Key key, List<ShardClaim> unclaimed, long micros) {
    ShardClaim last = ofNobody(0, 0, 0);
    List<ShardClaim> first = new ArrayList<>();
    for (ShardClaim claim : unclaimed) {
      if (claim.shard() == 0) {
        last = claim;
      } else {
        first.add(claim);
      }
    }
    List<ShardClaim> mark = List.of(last);
    return table
        .putUnclaimed(key.typeHour(), key.generation(), first, micros)
        .thenCompose(done -> table.putUnclaimed(key.typeHour(), key.generation(), mark, micros));
  }

  private static List<ShardClaim> together(List<ShardClaim> all, List<ShardClaim> unclaimed) {
    List<ShardClaim> together = new ArrayList<>(unclaimed);
    Set<Integer> shards = unclaimed.stream().map(ShardClaim::shard).collect(Collectors.toSet());
    for (ShardClaim claim : all) {
      if (!isNobody(claim) || !shards.contains(claim.shard())) {
        together.add(claim);
      }
    }
    return together;
  }
}
