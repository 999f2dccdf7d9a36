package hourglass.bucketing;

/** The key of a wide row, {@code ddmmyyhh|eventtype|shard}, such as {@code 20112608|checkout|3}. */
public record RowKey(Hour hour, String type, int shard) implements Comparable<RowKey> {

  public RowKey {
    EventType.check(type);
    if (shard < 0) {
      throw new IllegalArgumentException("shard: " + shard + " < 0");
    }
  }

  /** Reads a key. Throws IllegalArgumentException naming a text that is no key. */
  public static RowKey parse(String text) {
    int first = text.indexOf('|');
    int second = text.indexOf('|', first + 1);
    if (first < 0 || second < 0 || text.indexOf('|', second + 1) >= 0) {
      throw new IllegalArgumentException(
          "row key: \"" + text + "\" is not ddmmyyhh|eventtype|shard");
    }
    return new RowKey(
        Hour.parseKey(text.substring(0, first)),
        EventType.decode(text.substring(first + 1, second)),
        parseShard(text.substring(second + 1)));
  }

  public TypeHour typeHour() {
    return new TypeHour(hour, type);
  }

  private static int parseShard(String text) {
    try {
      int shard = Integer.parseInt(text);
      if (Integer.toString(shard).equals(text)) {
        return shard;
      }
    } catch (NumberFormatException e) {
      // The exception below reports it, as it reports a number in another spelling.
    }
    throw new IllegalArgumentException("row key: \"" + text + "\" is not a shard");
  }

  /** Compares by hour, then {@link EventType#compare type}, then shard. */
  @Override
  public int compareTo(RowKey other) {
    int byHour = hour.compareTo(other.hour);
    if (byHour != 0) {
      return byHour;
    }
    int byType = EventType.compare(type, other.type);
    return byType != 0 ? byType : Integer.compare(shard, other.shard);
  }

  @Override
  public String toString() {
    return hour.key() + '|' + EventType.encode(type) + '|' + shard;
  }
}
