package hourglass.store;

/**
 * A position in the order of late arrival records. It is valid for the store that issued it, as
 * long as that store keeps its records. Each engine numbers places in its own way.
 */
public record LateArrivalPlace(long high, long low) implements Comparable<LateArrivalPlace> {
  public static final LateArrivalPlace START = new LateArrivalPlace(0, 0);

  /** The place after every record that exists at the time of the call. */
  public static final LateArrivalPlace NEWEST =
      new LateArrivalPlace(Long.MAX_VALUE, Long.MAX_VALUE);

  @Override
  public int compareTo(LateArrivalPlace other) {
    return high != other.high ? Long.compare(high, other.high) : Long.compare(low, other.low);
  }
}
