package hourglass.query.advice;

import hourglass.bucketing.shards.ShardClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row, as wide as it is and as it goes on.
 *
 * @param fill how full it is
 * @param state where it is in its life
 * @param growth how fast it grows; null where its hour is over, or nothing can be said
 * @param writers what writers claimed of it, those that keep off left out; null where claims were
 *     not asked for, or did not come
 */
public record RowReport(
    RowFill fill, RowState state, @Nullable Growth growth, @Nullable List<ShardClaim> writers) {
  public RowReport {
    writers = writers == null ? null : List.copyOf(writers);
  }
}
