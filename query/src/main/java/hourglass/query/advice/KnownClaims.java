package hourglass.query.advice;

import hourglass.bucketing.shards.ShardClaim;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The claims of an hour and type, or why they are not known. Immutable. */
public final class KnownClaims {
  private final @Nullable String unknown;
  private final Map<Integer, List<ShardClaim>> byShard;
  private final int writers;

  private KnownClaims(@Nullable String unknown, List<ShardClaim> claims) {
    this.unknown = unknown;
    // Columns of nobody have no writer, and a claim of nothing is one that was withdrawn.
    List<ShardClaim> standing =
        claims.stream()
            .filter(claim -> !claim.writer().equals(ShardClaim.NO_WRITER) && claim.columns() > 0)
            .sorted(Comparator.comparing(ShardClaim::writer))
            .toList();
    byShard = standing.stream().collect(Collectors.groupingBy(ShardClaim::shard));
    writers = (int) standing.stream().map(ShardClaim::writer).distinct().count();
  }

  /** What the store answered. */
  public static KnownClaims of(List<ShardClaim> claims) {
    return new KnownClaims(null, claims);
  }

  /**
   * None, as they were not asked for or did not come.
   *
   * @param reason why, for people
   */
  public static KnownClaims unknown(String reason) {
    return new KnownClaims(reason, List.of());
  }

  /** Why they are not known; null if they are. */
  @Nullable String whyUnknown() {
    return unknown;
  }

  /** Those of one row that stand; null if they are not known. */
  @Nullable List<ShardClaim> of(int shard) {
    return unknown != null ? null : byShard.getOrDefault(shard, List.of());
  }

  /** How many writers have claims that stand; null if they are not known. */
  @Nullable Integer writers() {
    return unknown != null ? null : writers;
  }
}
