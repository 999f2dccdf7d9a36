package hourglass.config.gate.keys;

import hourglass.access.Limits;
import hourglass.access.TypePatterns;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key of the file, with its name and permissions. Immutable.
 *
 * @param secrets hashes of secrets, each of which opens the key, so that a new one can replace an
 *     old one without a gap
 * @param types the event types that the key may push and read
 * @param expires the time from which the key is not valid; null for never
 * @param limits the key's own limits; 0 stands for that of all clients
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
    return scopes.contains(scope) || scope != Scope.ERASE && scopes.contains(Scope.ADMIN);
  }

  public boolean isExpired(Instant now) {
    return expires != null && !now.isBefore(expires);
  }
}
