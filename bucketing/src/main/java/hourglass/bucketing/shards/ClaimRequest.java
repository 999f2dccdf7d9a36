package hourglass.bucketing.shards;

import hourglass.bucketing.Hour;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ShardPlanner} wants told to the directory of an hour and type. It is told first,
 * and only then the claims of all writers are read: of two that claim at once, at least one then
 * sees the other. Immutable.
 */
public final class ClaimRequest {
  private final Hour hour;
  private final String type;
  private final List<ShardClaim> claims;
  private final @Nullable OpenRow shared;
  private final Capacity sharedBound;
  private final List<List<OpenRow>> groups;
  private final boolean last;

  ClaimRequest(
      Hour hour,
      String type,
      Collection<ShardClaim> claims,
      @Nullable OpenRow shared,
      Capacity sharedBound,
      List<List<OpenRow>> groups) {
    this(hour, type, claims, shared, sharedBound, groups, false);
  }

  private ClaimRequest(
      Hour hour,
      String type,
      Collection<ShardClaim> claims,
      @Nullable OpenRow shared,
      Capacity sharedBound,
      List<List<OpenRow>> groups,
      boolean last) {
    this.hour = hour;
    this.type = type;
    this.claims = List.copyOf(claims);
    this.shared = shared;
    this.sharedBound = sharedBound;
    this.groups = groups;
    this.last = last;
  }

  /** Gives up what is not needed any more. */
  static ClaimRequest last(Hour hour, String type, Collection<ShardClaim> claims) {
    return new ClaimRequest(hour, type, claims, null, Capacity.NONE, List.of(), true);
  }

  /** Tells nothing, and reads. */
  static ClaimRequest tick(Hour hour, String type) {
    return new ClaimRequest(hour, type, List.of(), null, Capacity.NONE, List.of());
  }

  public Hour hour() {
    return hour;
  }

  public String type() {
    return type;
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
