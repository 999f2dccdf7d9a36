package hourglass.config.gate.keys;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys of a file, by name and by secret. Immutable. */
public final class Keys {
  static final Keys NONE = new Keys(Map.of());

  private final TreeMap<String, Key> byName;

  /**
   * The keys by the hashes of their secrets. The time of a look-up reveals at most something about
   * hashes, from which no secret can be derived.
   */
  private final Map<SecretHash, Key> bySecret = new HashMap<>();

  private final Map<String, List<SecretHash>> byId;

  /** Indexes the keys. No secret may belong to two keys. */
  Keys(Map<String, Key> byName) {
    this.byName = new TreeMap<>(byName);
    byName
        .values()
        .forEach(key -> key.secrets().forEach(secret -> bySecret.putIfAbsent(secret, key)));
    byId = bySecret.keySet().stream().collect(Collectors.groupingBy(SecretHash::id));
  }

  /** Returns all keys in the order of their names. */
  public Collection<Key> all() {
    return byName.values();
  }

  public @Nullable Key named(String name) {
    return byName.get(name);
  }

  /** Returns the hashes of the secrets with an id, which is hardly ever more than one. */
  public List<SecretHash> withId(String id) {
    return byId.getOrDefault(id, List.of());
  }

  /** Returns the key that a secret opens, or null. */
  public @Nullable Key of(SecretHash secret) {
    return bySecret.get(secret);
  }
}
