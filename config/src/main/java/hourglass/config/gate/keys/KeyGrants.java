package hourglass.config.gate.keys;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The permissions that a command gives to a key. Immutable.
 *
 * @param scopes empty to leave them unchanged
 * @param types empty to leave them unchanged
 * @param expires null to leave it unchanged
 * @param eventsPerSecond 0 to leave it unchanged
 */
public record KeyGrants(
    Set<Scope> scopes, List<String> types, @Nullable Instant expires, long eventsPerSecond) {
  Config apply(Config file, String at) {
    Config with = file;
    if (!scopes.isEmpty()) {
      List<String> names = scopes.stream().map(Scope::text).sorted().toList();
      with = with.withValue(at + "." + KeysText.SCOPES, ConfigValueFactory.fromIterable(names));
    }
    if (!types.isEmpty()) {
      with = with.withValue(at + "." + KeysText.TYPES, ConfigValueFactory.fromIterable(types));
    }
    if (expires != null) {
      with =
          with.withValue(
              at + "." + KeysText.EXPIRES, ConfigValueFactory.fromAnyRef(expires.toString()));
    }
    if (eventsPerSecond > 0) {
      with =
          with.withValue(
              at + "." + KeysText.LIMITS + ".events-per-second",
              ConfigValueFactory.fromAnyRef(eventsPerSecond));
    }
    return with;
  }
}
