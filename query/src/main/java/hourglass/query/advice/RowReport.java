package hourglass.query.advice;

import hourglass.bucketing.shards.ShardClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The width, state and growth of a row.
 *
 * @param growth null if the hour is over or the growth is unknown
 * @param writers claims in force; null if the row is sealed or the claims are unknown
 */
public record RowReport(
    RowFill fill, RowState state, @Nullable Growth growth, @Nullable List<ShardClaim> writers) {
  public RowReport {
    writers = writers == null ? null : List.copyOf(writers);
  }
}
