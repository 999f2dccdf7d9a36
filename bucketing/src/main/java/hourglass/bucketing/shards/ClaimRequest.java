package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims that a {@link ShardPlanner} publishes for a type hour. They are published first, and then
 * the claims of all writers are read. So of two writers that claim at the same time, at least one
 * sees the other. Immutable.
 */
public final class ClaimRequest {
  private final TypeHour typeHour;
  private final List<ShardClaim> claims;
  private final @Nullable OpenRow shared;
  private final Capacity sharedBound;
  private final List<List<OpenRow>> groups;
  private final boolean last;

  ClaimRequest(
      TypeHour typeHour,
      Collection<ShardClaim> claims,
      @Nullable OpenRow shared,
      Capacity sharedBound,
      List<List<OpenRow>> groups) {
    this(typeHour, claims, shared, sharedBound, groups, false);
  }

  private ClaimRequest(
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

  /** The last request: it releases the rest of the rows. */
  static ClaimRequest last(TypeHour typeHour, Collection<ShardClaim> claims) {
    return new ClaimRequest(typeHour, claims, null, Capacity.NONE, List.of(), true);
  }

  /** Publishes nothing, and reads. */
  static ClaimRequest read(TypeHour typeHour) {
    return new ClaimRequest(typeHour, List.of(), null, Capacity.NONE, List.of());
  }

  public TypeHour typeHour() {
    return typeHour;
  }

  /** To be upserted: each replaces the previous claim of its writer and shard. */
  public List<ShardClaim> claims() {
    return claims;
  }

  /** The shared row whose bound is raised, or null. */
  @Nullable OpenRow shared() {
    return shared;
  }

  Capacity sharedBound() {
    return sharedBound;
  }

  /** Rows claimed alone, by shard group. */
  List<List<OpenRow>> groups() {
    return groups;
  }

  /** Whether the planner evicts the type hour after this request. */
  boolean isLast() {
    return last;
  }
}
