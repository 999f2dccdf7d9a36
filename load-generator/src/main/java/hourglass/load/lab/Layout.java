package hourglass.load.lab;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import java.util.List;
import java.util.Map;

/** Chooses the rows of events. For one run and one thread. */
@FunctionalInterface
interface Layout {
  String FORMS = "hour, type, sharded:N, adaptive";

  /** Returns the rows of events that are sent together. Calls follow the order of the schedule. */
  RowKey[] rows(List<Event> events);

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
    return events ->
        events.stream()
            .map(
                event -> {
                  Hour hour = Hour.ofTicks(event.ticks());
                  String type = isByHour ? "all" : event.type(); // the key of a row needs a type
                  int shard = shards.shard(hour, type, event.ticks(), event.lsb());
                  return new RowKey(hour, type, shard);
                })
            .toArray(RowKey[]::new);
  }
}
