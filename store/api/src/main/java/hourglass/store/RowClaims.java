package hourglass.store;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Published bounds on the size of rows. Several processes may fill rows of one type hour; each
 * publishes its bound and reads all others, so that no row exceeds its target.
 */
public interface RowClaims {

  /**
   * Publishes a writer's claims on rows of a type hour, and then reads all claims. A claim replaces
   * the previous one of the same shard and writer, by the time of the call; it creates no row. Of
   * two calls at the same time, at least one sees the claims of the other.
   *
   * <p>Columns that existed before the first claim are reported as a claim of {@link
   * ShardClaim#NO_WRITER}, and again after claims were evicted. So the claims on a row, without
   * those of this call, never add up to less than the row had at the time.
   *
   * @param claims any number; with none, unclaimed columns are still reported
   */
  CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> claims);

  /**
   * Changes nothing. Unclaimed columns are reported only as far as an earlier {@link #claim} found
   * them.
   */
  CompletionStage<List<ShardClaim>> claims(TypeHour typeHour);
}
