package hourglass.bucketing.shards;

import hourglass.bucketing.TypeHour;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a {@link ShardPlanner} on a type hour. They are published first, and then the
 * claims of all writers are read. So of two writers that claim at once, at least one sees the
 * other.
 *
 * @param claims each replaces the previous claim of its writer and shard
 * @param shared the shared row for which {@code sharedBound} is claimed; null if there is none
 * @param groups rows that the writer claims for itself alone
 * @param last whether the request releases the rest of the rows, before an eviction
 */
public record ClaimRequest(
    TypeHour typeHour,
    List<ShardClaim> claims,
    @Nullable OpenRow shared,
    Capacity sharedBound,
    List<List<OpenRow>> groups,
    boolean last) {}
