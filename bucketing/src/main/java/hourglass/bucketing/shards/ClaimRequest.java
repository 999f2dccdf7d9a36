package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims of a {@link ShardPlanner} on a type hour. They are published first, and then the claims of
 * all writers are read. So of two writers that claim at once, at least one sees the other.
 * Immutable.
 */
public final class ClaimRequest {
  private final TypeHour typeHour;
  private final List<ShardClaim> claims;

  final @Nullable OpenRow shared;

  final Capacity sharedBound;

  final List<List<OpenRow>> groups;

  /** Whether the request releases the rest of the rows, before an eviction. */
  final boolean last;

  ClaimRequest(
      TypeHour typeHour,
      Collection<ShardClaim> claims,
      @Nullable OpenRow shared,
      Capacity sharedBound,
      List<List<OpenRow>> groups,
      boolean last) {
    this.typeHour = typeHour;
    this.claims = List.copyOf(claims);
    this.shared = shared;
    this.sharedBound = sharedBound;
    this.groups = groups;
    this.last = last;
  }

  public TypeHour typeHour() {
    return typeHour;
  }

  /** Each replaces the previous claim of its writer and shard. */
  public List<ShardClaim> claims() {
    return claims;
  }
}
