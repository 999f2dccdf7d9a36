package hourglass.store;

/**
 * A place in the order in which notes of late columns came. What the numbers are is the engine's
 * own; a place means something to the store that gave it only, for as long as it keeps its notes.
 *
 * @param high compares first
 * @param low compares among equal {@code high}
 */
public record ArrivalPlace(long high, long low) implements Comparable<ArrivalPlace> {
  /** Before every note. */
  public static final ArrivalPlace START = new ArrivalPlace(0, 0);

  /** Behind every note that there is at the time of asking. */
  public static final ArrivalPlace NEWEST = new ArrivalPlace(Long.MAX_VALUE, Long.MAX_VALUE);

  @Override
  public int compareTo(ArrivalPlace other) {
    return high != other.high ? Long.compare(high, other.high) : Long.compare(low, other.low);
  }
}
