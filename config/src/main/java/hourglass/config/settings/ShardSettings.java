package hourglass.config.settings;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.shards.PlannerOptions;
import java.util.Map;

/**
 * The keys of {@link PlannerOptions}, and of {@link FixedShards} for types that are not planned.
 */
final class ShardSettings {
  static final SettingGroup ALL = new SettingGroup("bucketing");

  private static final PlannerOptions PLANNER = PlannerOptions.DEFAULTS;

  private static final Setting<Integer> TARGET_COLUMNS =
      ALL.key(
              "target-columns",
              Kinds.count(
                  (int) PlannerOptions.TARGET_COLUMNS_MIN, (int) PlannerOptions.TARGET_COLUMNS_MAX),
              Math.toIntExact(PLANNER.targetColumns()))
          .about(
              "Events that a row is meant to have at the most; it is passed by a tenth at the worst."
                  + " `/api/v1/rows` shows how far each is.");
  private static final Setting<Long> TARGET_BYTES =
      ALL.key(
              "target-bytes",
              Kinds.bytes(PlannerOptions.TARGET_BYTES_MIN, PlannerOptions.TARGET_BYTES_MAX),
              PLANNER.targetBytes())
          .about("The same in bytes of payload; the lower limit applies.");
  private static final Setting<Integer> SPREAD =
      ALL.key(
              "spread",
              Kinds.or("auto", 0, Kinds.count(1, PlannerOptions.SPREAD_MAX)),
              PLANNER.spread())
          .about(
              "Rows of a busy type that a process fills side by side. auto: as many as the store has"
                  + " nodes, if the type is worth that many.");

  private static final Kind<Integer> SHARDS =
      Kinds.or("adaptive", FixedShards.PLANNED, Kinds.count(1, FixedShards.SHARDS_MAX));

  private static final Setting<Integer> DEFAULT =
      ALL.key("shards", SHARDS, FixedShards.PLANNED)
          .about(
              "Rows that an hour of a type is spread over, by a hash of the event's name. adaptive: as"
                  + " many as its traffic needs, chosen while the hour runs.");
  private static final Setting<Map<String, Integer>> BY_TYPE =
      ALL.key("shards-by-type", Kinds.perType(SHARDS), Map.of())
          .about("The same for single types.");

  private ShardSettings() {}

  static FixedShards read(SettingsReader reader) {
    return new FixedShards(reader.get(DEFAULT), reader.get(BY_TYPE));
  }

  static PlannerOptions readPlanner(SettingsReader reader) {
    return new PlannerOptions(
        reader.get(TARGET_COLUMNS), reader.get(TARGET_BYTES), reader.get(SPREAD));
  }
}
