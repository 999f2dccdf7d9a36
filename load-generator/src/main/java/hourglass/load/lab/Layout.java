package hourglass.load.lab;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.load.lab.traffic.Schedule;
import java.util.Map;

/** Chooses the rows of events. For one run and one thread. */
@FunctionalInterface
interface Layout {
  String FORMS = "hour, type, sharded:N, adaptive";

  /**
   * Chooses rows for events that are sent together.
   *
   * @param from the first of them; calls follow one another without gaps
   * @param to one after the last
   */
  RowKey[] rows(Schedule schedule, int from, int to);

  static boolean isOne(String name) {
    return name.matches("hour|type|adaptive|sharded:[1-9]\\d{0,3}")
        && shards(name) <= FixedShards.SHARDS_MAX;
  }

  private static int shards(String name) {
    return name.startsWith("sharded:") ? Integer.parseInt(name.substring(8)) : 1;
  }

  /** Returns a layout that needs no planner, which is any but adaptive. */
  static Layout of(String name) {
    FixedShards shards = new FixedShards(shards(name), Map.of());
    boolean isByHour = name.equals("hour");
    return (schedule, from, to) -> {
      RowKey[] rows = new RowKey[to - from];
      for (int event = from; event < to; event++) {
        long ticks = schedule.ticks(event);
        Hour hour = Hour.ofTicks(ticks);
        String type = isByHour ? "all" : schedule.type(event); // the key of a row needs a type
        int shard = shards.shard(hour, type, ticks, schedule.lsb(event));
        rows[event - from] = new RowKey(hour, type, shard);
      }
      return rows;
    };
  }
}
