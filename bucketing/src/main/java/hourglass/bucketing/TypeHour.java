package hourglass.bucketing;

/** One event type in one hour: the unit of shard planning and of claims. */
public record TypeHour(Hour hour, String type) implements Comparable<TypeHour> {

  public RowKey row(int shard) {
    return new RowKey(hour, type, shard);
  }

  // Type hours are comparable, so that types with deliberately equal hashes do not slow down a hash
  // map.
  @Override
  public int compareTo(TypeHour other) {
    int byType = type.compareTo(other.type);
    return byType != 0 ? byType : hour.compareTo(other.hour);
  }
}
