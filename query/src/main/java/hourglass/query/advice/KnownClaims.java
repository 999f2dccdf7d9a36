package hourglass.query.advice;

import hourglass.bucketing.shards.ShardClaim;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a type hour, or the reason why they are unknown.
 *
 * @param whyUnknown null if the claims are known
 * @param writers number of writers with claims in force; null if unknown
 */
public record KnownClaims(
    @Nullable String whyUnknown,
    @Nullable Integer writers,
    Map<Integer, List<ShardClaim>> byShard) {

  static KnownClaims of(List<ShardClaim> claims) {
    // A claim without a writer or without columns is not in force.
    List<ShardClaim> standing =
        claims.stream()
            .filter(claim -> !claim.writer().equals(ShardClaim.NO_WRITER) && claim.columns() > 0)
            .sorted(Comparator.comparing(ShardClaim::writer))
            .toList();
    long writers = standing.stream().map(ShardClaim::writer).distinct().count();
    return new KnownClaims(
        null,
        Math.toIntExact(writers),
        standing.stream().collect(Collectors.groupingBy(ShardClaim::shard)));
  }

  static KnownClaims unknown(String reason) {
    return new KnownClaims(reason, null, Map.of());
  }

  /** Returns the claims of a row; null if they are unknown. */
  @Nullable List<ShardClaim> of(int shard) {
    return whyUnknown != null ? null : byShard.getOrDefault(shard, List.of());
  }
}
