package hourglass.load.lab;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.ShardPolicy;
import hourglass.load.lab.traffic.Schedule;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A layout as it was asked for: {@code hour}, {@code type}, {@code sharded:8}, or {@code adaptive}.
 *
 * @param shards rows that an hour of a type is spread over
 */
record LayoutChoice(Kind kind, int shards) {
  /** All types of an hour share one row; a row's key wants a type, and this is it. */
  static final String ALL_TYPES = "all";

  static final String FORMS = "hour, type, sharded:N, adaptive";

  enum Kind {
    HOUR,
    TYPE,
    SHARDED,
    ADAPTIVE
  }

  /** Null if it is none. */
  static @Nullable LayoutChoice parse(String text) {
    return switch (text) {
      case "hour" -> new LayoutChoice(Kind.HOUR, 1);
      case "type" -> new LayoutChoice(Kind.TYPE, 1);
      case "adaptive" -> new LayoutChoice(Kind.ADAPTIVE, 1);
      default -> text.matches("sharded:[1-9]\\d{0,3}") ? sharded(text) : null;
    };
  }

  private static @Nullable LayoutChoice sharded(String text) {
    int shards = Integer.parseInt(text.substring(text.indexOf(':') + 1));
    return shards <= FixedShards.SHARDS_MAX ? new LayoutChoice(Kind.SHARDED, shards) : null;
  }

  /** As it was asked for. */
  String name() {
    String label = kind.name().toLowerCase(Locale.ROOT);
    return kind == Kind.SHARDED ? label + ":" + shards : label;
  }

  /**
   * A new one, which has seen nothing yet.
   *
   * @param adaptive makes one that is planned
   */
  Layout open(Supplier<Layout> adaptive) {
    return switch (kind) {
      case HOUR -> LayoutChoice::hours;
      case ADAPTIVE -> adaptive.get();
      case TYPE, SHARDED -> fixed(new FixedShards(shards, Map.of()));
    };
  }

  private static RowKey[] hours(Schedule schedule, int from, int to) {
    RowKey[] rows = new RowKey[to - from];
    for (int event = from; event < to; event++) {
      rows[event - from] = new RowKey(Hour.ofTicks(schedule.ticks(event)), ALL_TYPES, 0);
    }
    return rows;
  }

  private static Layout fixed(ShardPolicy policy) {
    return (schedule, from, to) -> {
      RowKey[] rows = new RowKey[to - from];
      for (int event = from; event < to; event++) {
        long ticks = schedule.ticks(event);
        Hour hour = Hour.ofTicks(ticks);
        String type = schedule.type(event);
        int shard = policy.shard(hour, type, ticks, schedule.lsb(event));
        rows[event - from] = new RowKey(hour, type, shard);
      }
      return rows;
    };
  }
}
