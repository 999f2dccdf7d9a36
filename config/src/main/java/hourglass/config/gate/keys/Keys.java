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

  /** A search by hash reveals at most something about hashes, from which no secret follows. */
  private final Map<SecretHash, Key> bySecret = new HashMap<>();

  private final Map<String, List<SecretHash>> byId;

  /** No secret belongs to two keys. */
  Keys(Map<String, Key> byName) {
    this.byName = new TreeMap<>(byName);
    byName
        .values()
        .forEach(key -> key.secrets().forEach(secret -> bySecret.putIfAbsent(secret, key)));
    byId = bySecret.keySet().stream().collect(Collectors.groupingBy(SecretHash::id));
  }

  /** In the order of their names. */
  public Collection<Key> all() {
    return byName.values();
  }

  public @Nullable Key named(String name) {
    return byName.get(name);
  }

  /** The secrets of an id, which are hardly ever two. */
  public List<SecretHash> withId(String id) {
    return byId.getOrDefault(id, List.of());
  }

  /** The key that a secret opens. */
  public @Nullable Key of(SecretHash secret) {
    return bySecret.get(secret);
  }
}
