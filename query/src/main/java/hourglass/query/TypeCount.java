package hourglass.query;

/**
 * How much there is of a type.
 *
 * @param type the event type
 * @param count distinct events
 * @param bytes of their payloads
 */
public record TypeCount(String type, long count, long bytes) {

  public TypeCount plus(TypeCount other) {
    return new TypeCount(type, count + other.count, bytes + other.bytes);
  }
}
