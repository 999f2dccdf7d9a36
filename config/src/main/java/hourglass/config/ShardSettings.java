package hourglass.config;

import hourglass.bucketing.EventType;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.ShardPolicy;
import java.util.List;
import java.util.Map;

/** The keys of {@link FixedShards}. */
final class ShardSettings {
  private static final Kind<Integer> SHARDS = Kinds.count(1, FixedShards.SHARDS_MAX, "");

  private static final Setting<Integer> DEFAULT =
      new Setting<>("bucketing.shards", SHARDS, 1, "Rows that an hour of a type is spread over.");
  private static final Setting<Map<String, Integer>> BY_TYPE =
      new Setting<>(
          "bucketing.shards-by-type",
          Kinds.perType(SHARDS, EventType::check),
          Map.of(),
          "The same for single types.");

  static final List<Setting<?>> ALL = List.of(DEFAULT, BY_TYPE);

  private ShardSettings() {}

  static ShardPolicy read(SettingsReader reader) {
    return new FixedShards(reader.get(DEFAULT), reader.get(BY_TYPE));
  }
}
