package hourglass.config.gate.keys;

import hourglass.access.Limits;
import hourglass.access.TypePatterns;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the file says about a name. Immutable.
 *
 * @param secrets each opens the key, so that a new one can replace an old one without a gap
 * @param types those it may push and read
 * @param expires from then on the key is none; null: never
 * @param limits its own; 0: those of all clients
 */
public record Key(
    String name,
    List<SecretHash> secrets,
    Set<Scope> scopes,
    TypePatterns types,
    @Nullable Instant expires,
    Limits limits) {

  public Key {
    secrets = List.copyOf(secrets);
    scopes = Set.copyOf(scopes);
  }

  public boolean has(Scope scope) {
    return scopes.contains(scope) || scopes.contains(Scope.ADMIN);
  }

  public boolean isExpired(Instant now) {
    return expires != null && !now.isBefore(expires);
  }
}
