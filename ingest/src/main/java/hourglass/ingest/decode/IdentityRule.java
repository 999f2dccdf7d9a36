package hourglass.ingest.decode;

/**
 * How an event of a request is recognized when it is sent again, where it has a time and neither an
 * id nor an {@code Idempotency-Key}.
 */
public enum IdentityRule {
  /** Not at all: each is another event. */
  NONE,
  /** By its place in an equal body: two bytes a name, for clients that repeat a whole request. */
  BODY,
  /**
   * By type, time and payload, and its number among equal ones of its request: eight bytes a name,
   * for clients that cut their requests anew.
   */
  CONTENT,
  /**
   * As NONE. But an event that has an id and no time gets the time at which it was first found, as
   * every CloudEvent does.
   */
  ID
}
