package hourglass.ingest.decode;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The way to recognize a repeated event that has a time and no id. Except for {@link #PLACE}, a
 * rule applies only to requests without an {@code Idempotency-Key}.
 */
public enum IdentityRule {
  /** The event is not recognized: each repeat is another event. */
  NONE,
  /**
   * An event is recognized by its place in an equal body. A name costs two bytes. This is for
   * clients that repeat a whole request.
   */
  BODY,
  /**
   * An event is recognized by type, time and payload, and its number among equal ones of its
   * request. A name costs eight bytes. This is for clients that cut their requests anew.
   */
  CONTENT,
  /**
   * An event is recognized by an {@code Idempotency-Key} and its place, which continues from
   * request to request. This is for clients that send a file in parts, cut anywhere, and again when
   * it has grown. Protocols do not offer it.
   */
  PLACE,
  /**
   * An event with an id and no time gets the time at which it was first found, as every CloudEvent
   * does. Other events are treated as by {@link #NONE}.
   */
  ID;

  /**
   * The rules that need no {@code Idempotency-Key}, and so may hold for every request.
   * Unmodifiable.
   */
  public static final Set<IdentityRule> WITHOUT_KEY =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(PLACE)));
}
