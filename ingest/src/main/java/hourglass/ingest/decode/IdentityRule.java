package hourglass.ingest.decode;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * How an event of a request is recognized when it is sent again, where it has a time and neither an
 * id nor, except for {@link #PLACE}, an {@code Idempotency-Key}.
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
   * By an {@code Idempotency-Key} and its place, which goes on from request to request: for clients
   * that send a file in parts, cut as it comes, and again when it has grown. Protocols do not offer
   * it.
   */
  PLACE,
  /**
   * As NONE. But an event that has an id and no time gets the time at which it was first found, as
   * every CloudEvent does.
   */
  ID;

  /** All that need no {@code Idempotency-Key}, and so may hold for every request. Unmodifiable. */
  public static final Set<IdentityRule> WITHOUT_KEY =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(PLACE)));
}
