package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ShardPlanner} wants told to the directory of an hour and type. It is told first,
 * and only then the claims of all writers are read: of two that claim at once, at least one then
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

  /** Gives up what is not needed any more. */
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

  /** To be upserted: each replaces what the directory has of its writer and shard. */
  public List<ShardClaim> claims() {
    return claims;
  }

  /** The row to share whose bound is to be raised, or null. */
  @Nullable OpenRow shared() {
    return shared;
  }

  Capacity sharedBound() {
    return sharedBound;
  }

  /** Rows to have alone, by the rounds that they make. */
  List<List<OpenRow>> groups() {
    return groups;
  }

  /** Whether the planner forgets the hour and type once this is told. */
  boolean isLast() {
    return last;
  }
}
