package hourglass.access;

import java.util.function.BooleanSupplier;

/**
 * The sender of a request. Immutable.
 *
 * @param share equal for all requests that share places, memory and limits: the name of a key, or
 *     an address where there are no keys
 * @param types the event types it may push and read
 * @param isCurrent false once its key has expired or was revoked; answers without an end then end
 */
public record Client(Object share, TypePatterns types, BooleanSupplier isCurrent) {

  /** A client without a key, where every request is allowed. */
  public static Client open(Object share) {
    return new Client(share, TypePatterns.ALL, () -> true);
  }
}
