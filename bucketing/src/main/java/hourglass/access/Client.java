package hourglass.access;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request. Immutable.
 *
 * @param share equal for all requests that share places, memory and limits: the name of a key, or
 *     an address where there is none
 * @param key the name of its key; null: it has none
 * @param types the event types it may push and read
 * @param limits its own; 0: those of all clients
 * @param isCurrent false once its key has expired or was revoked; answers without an end then end
 * @param quota what it takes of its limits
 */
public record Client(
    Object share,
    @Nullable String key,
    TypePatterns types,
    Limits limits,
    BooleanSupplier isCurrent,
    Quota quota) {

  /** Without a quota yet. */
  public Client(
      Object share,
      @Nullable String key,
      TypePatterns types,
      Limits limits,
      BooleanSupplier isCurrent) {
    this(share, key, types, limits, isCurrent, Quota.UNLIMITED);
  }

  /** A client without a key, where every request is allowed. */
  public static Client open(Object share) {
    return new Client(share, null, TypePatterns.ALL, Limits.NONE, () -> true);
  }

  /** The same sender, which takes nothing of its limits. */
  public Client withoutLimits() {
    return new Client(share, key, types, Limits.NONE, isCurrent);
  }

  public Client within(Quotas quotas) {
    return new Client(share, key, types, limits, isCurrent, quotas.of(share, limits));
  }
}
