package hourglass.access;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request. Immutable.
 *
 * @param share equal for all requests that share places, memory and limits: the name of a key, or
 *     an address where there is no key
 * @param key the name of the client's key; null if it has none
 * @param types the event types that the client may push and read
 * @param limits the client's own limits; 0: the limit of all clients
 * @param isCurrent false once the client's key has expired or was revoked; answers without an end
 *     then end
 * @param quota how much of its limits the client uses
 */
public record Client(
    Object share,
    @Nullable String key,
    TypePatterns types,
    Limits limits,
    BooleanSupplier isCurrent,
    Quota quota) {

  /** Creates a client without a quota of its own; {@link #within} adds one. */
  public Client(
      Object share,
      @Nullable String key,
      TypePatterns types,
      Limits limits,
      BooleanSupplier isCurrent) {
    this(share, key, types, limits, isCurrent, Quota.UNLIMITED);
  }

  /** Returns a client without a key, where every request is allowed. */
  public static Client open(Object share) {
    return new Client(share, null, TypePatterns.ALL, Limits.NONE, () -> true);
  }

  /** Returns the same sender without limits and quota. */
  public Client withoutLimits() {
    return new Client(share, key, types, Limits.NONE, isCurrent);
  }

  public Client within(Quotas quotas) {
    return new Client(share, key, types, limits, isCurrent, quotas.of(share, limits));
  }
}
