package hourglass.ingest.service;

import hourglass.ingest.decode.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The items of one type that were rejected for one reason.
 *
 * @param type null for items without a type, and for types beyond the limit of the ledger
 * @param lastTicks the time of the last rejection
 * @param samples the last rejected items, oldest first
 */
public record Rejects(
    @Nullable String type, Reason reason, long count, long lastTicks, List<Sample> samples) {
  /** The first bytes of a rejected item, and the problem with it. */
  public record Sample(String problem, String event) {}
}
