package hourglass.query.advice;

import hourglass.bucketing.shards.ShardClaim;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The claims of a type hour, or the reason why they are unknown. Immutable. */
final class KnownClaims {
  private final @Nullable String unknown;
  private final Map<Integer, List<ShardClaim>> byShard;
  private final int writers;

  private KnownClaims(@Nullable String unknown, List<ShardClaim> claims) {
    this.unknown = unknown;
    // A claim without a writer or without columns is no claim in force.
    List<ShardClaim> standing =
        claims.stream()
            .filter(claim -> !claim.writer().equals(ShardClaim.NO_WRITER) && claim.columns() > 0)
            .sorted(Comparator.comparing(ShardClaim::writer))
            .toList();
    byShard = standing.stream().collect(Collectors.groupingBy(ShardClaim::shard));
    writers = (int) standing.stream().map(ShardClaim::writer).distinct().count();
  }

  static KnownClaims of(List<ShardClaim> claims) {
    return new KnownClaims(null, claims);
  }

  static KnownClaims unknown(String reason) {
    return new KnownClaims(reason, List.of());
  }

  /** Null if the claims are known. */
  @Nullable String whyUnknown() {
    return unknown;
  }

  /** Null if unknown. */
  @Nullable List<ShardClaim> of(int shard) {
    return unknown != null ? null : byShard.getOrDefault(shard, List.of());
  }

  /** Null if unknown. */
  @Nullable Integer writers() {
    return unknown != null ? null : writers;
  }
}
