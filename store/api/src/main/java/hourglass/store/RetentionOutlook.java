package hourglass.store;

import hourglass.bucketing.Hour;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hours that a store deletes next, as far as it knows now. Immutable.
 *
 * @param usedBytes the bytes that the store takes; null if its disks are not its own
 * @param bytesPerDay how fast it grows now; null if it is unknown
 * @param next by time, and by hour where times are equal
 */
public record RetentionOutlook(
    @Nullable Long usedBytes, @Nullable Long bytesPerDay, List<Due> next) {
  /** The reason of hours whose own retention ends. */
  public static final String RETENTION = "retention";

  /**
   * An hour, or the part of it that belongs to types of one retention.
   *
   * @param why {@link #RETENTION}, or the {@link BudgetDrop.Why#text} of a budget
   * @param at when it goes; an estimate for a budget
   */
  public record Due(Hour hour, String why, Instant at) {}

  public RetentionOutlook {
    next = List.copyOf(next);
  }
}
