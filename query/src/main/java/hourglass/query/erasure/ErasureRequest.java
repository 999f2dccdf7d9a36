package hourglass.query.erasure;

import hourglass.query.Selection;
import hourglass.query.TimeRange;
import java.util.List;
import java.util.SortedSet;

/**
 * The events to erase. Immutable.
 *
 * @param selections at least one, of ranges that do not overlap, in the order of time
 * @param blanked the paths in payloads to blank; empty to erase whole events
 * @param reason for the audit file; empty for none
 */
public record ErasureRequest(List<Selection> selections, List<String> blanked, String reason) {
  public ErasureRequest {
    selections = List.copyOf(selections);
    blanked = List.copyOf(blanked);
  }

  /** Returns the types that were asked for; empty for all. */
  public SortedSet<String> types() {
    return selections.get(0).types();
  }

  /** Returns the range from the first selection to the last. */
  public TimeRange range() {
    return new TimeRange(
        selections.get(0).range().fromTicks(),
        selections.get(selections.size() - 1).range().toTicks());
  }
}
