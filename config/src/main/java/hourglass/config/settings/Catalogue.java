package hourglass.config.settings;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The catalogue of every setting. */
final class Catalogue {
  private static final SettingGroup TOP = new SettingGroup("");

  static final Setting<Set<Role>> ROLES =
      TOP.key("roles", Kinds.someOf(Role.class), EnumSet.allOf(Role.class))
          .about("The parts that this process plays.");

  static final List<Setting<?>> ALL =
      Stream.of(
              TOP,
              HttpSettings.ALL,
              TlsSettings.ALL,
              KeysSettings.ALL,
              LimitSettings.ALL,
              AuditSettings.ALL,
              StoreSettings.ALL,
              EmbeddedSettings.ALL,
              CassandraSettings.ALL,
              StoreSettings.RETENTION,
              UntimedSettings.ALL,
              IngestSettings.ALL,
              ProtocolSettings.ALL,
              SyslogSettings.ALL,
              KafkaSettings.ALL,
              QuerySettings.ALL,
              ShardSettings.ALL)
          .<Setting<?>>flatMap(group -> group.settings().stream())
          .toList();

  static final Map<String, Setting<?>> BY_KEY = index(Setting::key);
  static final Map<String, Setting<?>> BY_ENVIRONMENT_NAME = index(Setting::environmentName);

  private Catalogue() {}

  /** Indexes the settings by a name. Throws IllegalStateException if two settings share one. */
  private static Map<String, Setting<?>> index(Function<Setting<?>, String> name) {
    return ALL.stream().collect(Collectors.toUnmodifiableMap(name, Function.identity()));
  }
}
