package hourglass.query;

import hourglass.store.DroppedHours;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of the hours of an answer that the store does not have. Immutable.
 *
 * @param missing parts that the store should have, by name; an answer without them is incomplete
 * @param dropped hours whose events were deleted on purpose; an answer without them is complete
 */
public record Gaps(List<String> missing, DroppedHours dropped) {
  public static final Gaps NONE = new Gaps(List.of(), DroppedHours.NONE);

  public Gaps {
    missing = List.copyOf(missing);
  }

  public boolean isEmpty() {
    return missing.isEmpty() && dropped.isEmpty();
  }

  public Gaps and(Gaps other) {
    List<String> all =
        Stream.concat(missing.stream(), other.missing.stream()).distinct().sorted().toList();
    return new Gaps(all, dropped.and(other.dropped));
  }
}
