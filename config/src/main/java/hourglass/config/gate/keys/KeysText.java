package hourglass.config.gate.keys;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import hourglass.access.Limits;
import hourglass.access.TypePatterns;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a file of keys, in HOCON:
 *
 * <pre>
 * keys {
 *   ada { secrets = ["sha256:..."], scopes = [query], types = ["*"], expires = "2027-01-01T00:00:00Z" }
 * }
 * </pre>
 *
 * <p>Unknown members are errors, so that a typo cannot grant permissions.
 */
final class KeysText {
  static final String KEYS = "keys";
  static final String SECRETS = "secrets";
  static final String SCOPES = "scopes";
  static final String TYPES = "types";
  static final String EXPIRES = "expires";
  static final String LIMITS = "limits";

  /** The form of a name, which appears in log lines, URLs and {@code Basic NAME:SECRET}. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}");

  /** The most secrets of a key, more than any rotation needs. */
  private static final int SECRETS_MAX = 100;

  private static final int TYPES_MAX = 1_000;

  /** The largest values of limits. A larger number would not limit anything. */
  private static final Map<String, Long> LIMITS_MAX =
      new TreeMap<>(
          Map.of(
              "events-per-second", 1_000_000_000L,
              "bytes-per-second", 1L << 40,
              "requests", 1_000_000L,
              "queries", 1_000_000L,
              "tails", 1_000_000L,
              "read-bytes-per-minute", 1L << 46));

  private final List<String> problems = new ArrayList<>();

  private KeysText() {}

  /** Reads the keys. Throws {@link KeysFileException} if anything is wrong. */
  static Keys read(String text) {
    Config file = parse(text);
    if (!file.isResolved()) {
      throw new KeysFileException("${...}: not in a file of keys, which is the same everywhere");
    }
    try {
      return new KeysText().keys(file);
    } catch (ConfigException e) {
      throw refusal(e);
    }
  }

  /** Parses the text as it is written, for {@link KeysFile} to change. */
  static Config parse(String text) {
    try {
      return ConfigFactory.parseString(
          text, ConfigParseOptions.defaults().setIncluder(new NoIncludes()));
    } catch (ConfigException e) {
      throw refusal(e);
    } catch (StackOverflowError e) {
      throw new KeysFileException("nested too deeply");
    }
  }

  /**
   * Describes a failure of the parser by its line only, because the parser's message quotes the
   * text, which may contain a secret.
   */
  private static KeysFileException refusal(ConfigException e) {
    int line = e.origin() == null ? 0 : e.origin().lineNumber();
    return new KeysFileException("line " + line + ": not HOCON");
  }

  private Keys keys(Config file) {
    file.root().keySet().stream()
        .filter(name -> !name.equals(KEYS))
        .forEach(name -> problem(name, "is given, but a file of keys has only keys"));
    Map<String, Key> keys = new TreeMap<>();
    ConfigValue all = file.root().get(KEYS);
    if (all instanceof ConfigObject named) {
      named.forEach((name, value) -> keys.put(name, key(name, value)));
    } else if (all != null) {
      problem(KEYS, "want { NAME { ... } }");
    }
    refuseShared(keys);
    if (!problems.isEmpty()) {
      throw new KeysFileException(problems);
    }
    return new Keys(keys);
  }

  private Key key(String name, ConfigValue value) {
    String at = KEYS + "." + name;
    if (!NAME.matcher(name).matches()) {
      problem(at, "a name has 1 to 64 letters, digits and _ . @ -");
    }
    if (!(value instanceof ConfigObject members)) {
      problem(at, "want { secrets = [...], scopes = [...] }");
      return new Key(name, List.of(), Set.of(), TypePatterns.of(List.of()), null, Limits.NONE);
    }
    members.keySet().stream()
        .filter(member -> !Set.of(SECRETS, SCOPES, TYPES, EXPIRES, LIMITS).contains(member))
        .forEach(
            member ->
                problem(
                    at + "." + member, "unknown; want secrets, scopes, types, expires, limits"));
    return new Key(
        name,
        secrets(at + "." + SECRETS, members.get(SECRETS)),
        scopes(at + "." + SCOPES, members.get(SCOPES)),
        types(at + "." + TYPES, members.get(TYPES)),
        expires(at + "." + EXPIRES, members.get(EXPIRES)),
        limits(at + "." + LIMITS, members.get(LIMITS)));
  }

  /**
   * Reads the secrets of a key. They may be empty, for a key that only a client certificate opens.
   */
  private List<SecretHash> secrets(String at, @Nullable ConfigValue value) {
    List<SecretHash> secrets = new ArrayList<>();
    for (String text : texts(at, value, SECRETS_MAX)) {
      try {
        secrets.add(SecretHash.parse(text));
      } catch (IllegalArgumentException e) {
        problem(at, "number " + (secrets.size() + 1) + " is " + e.getMessage());
      }
    }
    return secrets;
  }

  private Set<Scope> scopes(String at, @Nullable ConfigValue value) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String text : texts(at, value, Scope.values().length)) {
      try {
        scopes.add(Scope.of(text));
      } catch (IllegalArgumentException e) {
        problem(at, String.valueOf(e.getMessage()));
      }
    }
    if (scopes.isEmpty() && problems.isEmpty()) {
      problem(at, "none; want one or more of ingest, query, metrics, erase, admin");
    }
    return scopes;
  }

  private TypePatterns types(String at, @Nullable ConfigValue value) {
    if (value == null) {
      return TypePatterns.ALL;
    }
    List<String> types = texts(at, value, TYPES_MAX);
    if (types.isEmpty() || types.contains("")) {
      problem(at, "an empty list or pattern; want event types, with * for any text");
    }
    return TypePatterns.of(types);
  }

  private @Nullable Instant expires(String at, @Nullable ConfigValue value) {
    if (value == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(String.valueOf(value.unwrapped())).toInstant();
    } catch (DateTimeException e) {
      problem(at, "not a time such as 2027-01-01T00:00:00Z");
      return null;
    }
  }

  private Limits limits(String at, @Nullable ConfigValue value) {
    if (value == null) {
      return Limits.NONE;
    }
    if (!(value instanceof ConfigObject members)) {
      problem(at, "want { events-per-second = 1000 }");
      return Limits.NONE;
    }
    Map<String, Long> given = new TreeMap<>();
    members.forEach((name, number) -> given.put(name, number(at + "." + name, name, number)));
    return new Limits(
        given.getOrDefault("events-per-second", 0L),
        given.getOrDefault("bytes-per-second", 0L),
        Math.toIntExact(given.getOrDefault("requests", 0L)),
        Math.toIntExact(given.getOrDefault("queries", 0L)),
        Math.toIntExact(given.getOrDefault("tails", 0L)),
        given.getOrDefault("read-bytes-per-minute", 0L));
  }

  /** Returns the limits that are set, by their names in the file. */
  static Map<String, Long> named(Limits limits) {
    Map<String, Long> named = new TreeMap<>();
    named.put("events-per-second", limits.eventsPerSecond());
    named.put("bytes-per-second", limits.bytesPerSecond());
    named.put("requests", (long) limits.requests());
    named.put("queries", (long) limits.queries());
    named.put("tails", (long) limits.tails());
    named.put("read-bytes-per-minute", limits.readBytesPerMinute());
    named.values().removeIf(each -> each == 0);
    return named;
  }

  private long number(String at, String name, ConfigValue value) {
    Long max = LIMITS_MAX.get(name);
    if (max == null) {
      problem(at, "unknown; want " + String.join(", ", LIMITS_MAX.keySet()));
      return 0;
    }
    if (value.unwrapped() instanceof Number number
        && number.doubleValue() == number.longValue()
        && number.longValue() >= 0
        && number.longValue() <= max) {
      return number.longValue();
    }
    problem(at, "want a whole number from 0 to " + max + " (0: that of all clients)");
    return 0;
  }

  private List<String> texts(String at, @Nullable ConfigValue value, int max) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof ConfigList list)
        || list.stream().anyMatch(each -> each.valueType() != ConfigValueType.STRING)) {
      problem(at, "want a list of texts");
      return List.of();
    }
    if (list.size() > max) {
      problem(at, list.size() + " values, at most " + max);
      return List.of();
    }
    return list.stream().map(each -> String.valueOf(each.unwrapped())).toList();
  }

  /** Refuses a secret that opens two keys, because they could have different permissions. */
  private void refuseShared(Map<String, Key> keys) {
    Map<SecretHash, String> owners = new HashMap<>();
    for (Key key : keys.values()) {
      for (SecretHash secret : key.secrets()) {
        String owner = owners.putIfAbsent(secret, key.name());
        if (owner != null) {
          problem(
              KEYS + "." + key.name(),
              "secret %s is that of %s too; give each its own".formatted(secret.id(), owner));
        }
      }
    }
  }

  private void problem(String at, String what) {
    problems.add(at + ": " + what);
  }
}
