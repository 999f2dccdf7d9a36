package hourglass.config;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every setting there is. */
final class Catalogue {
  static final Setting<Set<Role>> ROLES =
      new Setting<>(
          "roles",
          Kinds.someOf(Role.class),
          EnumSet.allOf(Role.class),
          "The parts that this process plays.");

  static final List<Setting<?>> ALL =
      Stream.of(
              List.<Setting<?>>of(ROLES),
              HttpSettings.ALL,
              StoreSettings.ALL,
              IngestSettings.ALL,
              KafkaSettings.ALL,
              QuerySettings.ALL,
              List.<Setting<?>>of(RowCacheSettings.ROW_CACHE),
              ShardSettings.ALL)
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableList());

  static final Map<String, Setting<?>> BY_KEY = index(Setting::key);
  static final Map<String, Setting<?>> BY_ENVIRONMENT_NAME = index(Setting::environmentName);

  private Catalogue() {}

  private static Map<String, Setting<?>> index(Function<Setting<?>, String> name) {
    Map<String, Setting<?>> index = new LinkedHashMap<>();
    for (Setting<?> setting : ALL) {
      if (index.put(name.apply(setting), setting) != null) {
        throw new IllegalStateException("two settings are called " + name.apply(setting));
      }
    }
    return index;
  }
}
