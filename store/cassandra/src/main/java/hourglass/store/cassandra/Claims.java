package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.RowEntry;
import hourglass.store.cassandra.driver.SingleFlight;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Publishes claims to all processes. The first claim of a type hour also registers columns that its
 * rows already contain, as claims of {@link ShardClaim#NO_WRITER}. These columns belong to writers
 * that do not claim, or to claims that expired. All columns of a row count, since a new claim
 * covers only future columns.
 *
 * <p>The registration writes the claim of shard 0 last, even for zero columns. Until that claim
 * exists, every claim repeats the registration, so races and crashes cannot leave it undone. It
 * expires a day before claims made after it, and is then repeated.
 *
 * <p>Writes wait for claims. So claims are published through a {@link Lane} of their own.
 * Thread-safe.
 */
final class Claims {
  /** The tables on the request window and the thread of claims; see {@link RequestLanes}. */
  record Lane(HoursTable hours, DirectoryTable directory, ClaimsTable claims) {}

  private record Key(TypeHour typeHour, int generation) {}

  private record HourOf(Lane lane, Hour hour, int generation) {}

  private final HourStates hours;
  private final HourStates laneHours;
  private final SingleFlight<HourOf, List<Directory.Found>> rows;

  /**
   * Publishes and reads claims.
   *
   * @param laneHours the states of hours, read through the lane of claims
   */
  Claims(HourStates hours, HourStates laneHours, Directory directory) {
    this.hours = hours;
    this.laneHours = laneHours;
    // All types of an hour begin at once, and without sharing, each would read the rows of all
    // types.
    this.rows =
        new SingleFlight<>(of -> directory.rows(of.lane().directory(), of.hour(), of.generation()));
  }

  CompletionStage<List<ShardClaim>> claim(Lane lane, TypeHour typeHour, List<ShardClaim> claims) {
    // The time is read before any wait, so that a later claim overrides this one.
    long micros = lane.claims().nowMicros();
    return laneHours
        .of(typeHour.hour())
        .thenCompose(state -> claim(lane, new Key(typeHour, state.generation()), claims, micros))
        .thenApply(Claims::ofColumns);
  }

  private CompletionStage<List<ShardClaim>> claim(
      Lane lane, Key key, List<ShardClaim> claims, long micros) {
    ClaimsTable table = lane.claims();
    return table
        .put(key.typeHour(), key.generation(), claims, micros)
        .thenCompose(done -> table.all(key.typeHour(), key.generation()))
        .thenCompose(
            all ->
                all.stream().anyMatch(claim -> claim.shard() == 0 && isUnclaimed(claim))
                    ? CompletableFuture.completedFuture(all)
                    : withUnclaimed(lane, key, all));
  }

  /** Reads all claims of a type hour. */
  CompletionStage<List<ShardClaim>> all(ClaimsTable table, TypeHour typeHour) {
    return hours
        .of(typeHour.hour())
        .thenCompose(state -> table.all(typeHour, state.generation()))
        .thenApply(Claims::ofColumns);
  }

  /** Omits empty claims without a writer, which only mark a completed registration. */
  private static List<ShardClaim> ofColumns(List<ShardClaim> all) {
    return all.stream()
        .filter(claim -> !isUnclaimed(claim) || claim.columns() > 0 || claim.bytes() > 0)
        .toList();
  }

  private static boolean isUnclaimed(ShardClaim claim) {
    return claim.writer().equals(ShardClaim.NO_WRITER);
  }

  private CompletionStage<List<ShardClaim>> withUnclaimed(
      Lane lane, Key key, List<ShardClaim> all) {
    long micros = lane.claims().nowMicros();
    return rows.ask(new HourOf(lane, key.typeHour().hour(), key.generation()))
        .thenCompose(
            found -> {
              List<ShardClaim> unclaimed =
                  found.stream()
                      .map(Directory.Found::entry)
                      .filter(entry -> entry.row().type().equals(key.typeHour().type()))
                      .map(Claims::unclaimed)
                      .toList();
              return putUnclaimed(lane.claims(), key, unclaimed, micros)
                  .thenApply(done -> union(all, unclaimed));
            });
  }

  private static ShardClaim unclaimed(RowEntry entry) {
    return new ShardClaim(
        entry.row().shard(), ShardClaim.NO_WRITER, false, entry.columns(), entry.bytes());
  }

  private static CompletionStage<Void> putUnclaimed(
      ClaimsTable table, Key key, List<ShardClaim> unclaimed, long micros) {
    List<ShardClaim> first = unclaimed.stream().filter(claim -> claim.shard() != 0).toList();
    List<ShardClaim> last =
        List.of(
            unclaimed.stream()
                .filter(claim -> claim.shard() == 0)
                .findFirst()
                .orElse(new ShardClaim(0, ShardClaim.NO_WRITER, false, 0, 0)));
    return table
        .put(key.typeHour(), key.generation(), first, micros)
        .thenCompose(done -> table.put(key.typeHour(), key.generation(), last, micros));
  }

  private static List<ShardClaim> union(List<ShardClaim> all, List<ShardClaim> unclaimed) {
    Set<Integer> shards = unclaimed.stream().map(ShardClaim::shard).collect(Collectors.toSet());
    return Stream.concat(
            unclaimed.stream(),
            all.stream().filter(claim -> !isUnclaimed(claim) || !shards.contains(claim.shard())))
        .toList();
  }
}
