package hourglass.query;

/** The number of distinct events of a type, and the bytes of their payloads. */
public record TypeCount(String type, long count, long bytes) {

  public TypeCount plus(TypeCount other) {
    return new TypeCount(type, count + other.count, bytes + other.bytes);
  }
}
