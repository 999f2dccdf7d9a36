package hourglass.store;

/**
 * A place in the order in which notes of late columns came. What the numbers are is the engine's
 * own; a place means something to the store that gave it only, for as long as it keeps its notes.
 *
 * @param high compares first
 * @param low compares among equal {@code high}
 */
public record LateArrivalPlace(long high, long low) implements Comparable<LateArrivalPlace> {
  /** Before every note. */
  public static final LateArrivalPlace START = new LateArrivalPlace(0, 0);

  /** Behind every note that there is at the time of asking. */
  public static final LateArrivalPlace NEWEST =
      new LateArrivalPlace(Long.MAX_VALUE, Long.MAX_VALUE);

  @Override
  public int compareTo(LateArrivalPlace other) {
    return high != other.high ? Long.compare(high, other.high) : Long.compare(low, other.low);
  }
}
