package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;

/** What follows once something is durable in the log. Called by the log's thread only. */
public interface Visibility {
  /**
   * Makes sure that columns of a row could be shown now.
   *
   * @throws RuntimeException with the reason why not
   */
  void prepare(RowKey row);

  void written(Mutation mutation, long segment, long group);

  void dropped(Hour hour);

  /**
   * A segment takes no more writes and can be flushed.
   *
   * @param bytes of the memory budget that its columns hold
   */
  void segmentEnded(long segment, long bytes);
}
