package hourglass.query;

/**
 * The number and size of the events of a type.
 *
 * @param count distinct events
 * @param bytes bytes of their payloads
 */
public record TypeCount(String type, long count, long bytes) {

  public TypeCount plus(TypeCount other) {
    return new TypeCount(type, count + other.count, bytes + other.bytes);
  }
}
