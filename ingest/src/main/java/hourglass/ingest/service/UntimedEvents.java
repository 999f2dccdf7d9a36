package hourglass.ingest.service;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.ingest.decode.DecodedItem;
import hourglass.ingest.decode.EventTypes.CachedType;
import hourglass.ingest.service.PendingWrite.RowName;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events of one write that have an id and no time. Their rows depend on the times at which they
 * were first found, which the store keeps. The payloads stay where they were decoded.
 */
final class UntimedEvents {
  private final FixedShards shards;
  private final List<Event> events = new ArrayList<>();

  private static final class Event {
    private final CachedType type;
    private final long ticks;
    private final long lsb;
    private final long more;
    private final byte[] bytes;
    private final int from;
    private final int to;

    private Event(DecodedItem item) {
      type = item.typed();
      ticks = item.name.ticks;
      lsb = item.name.lsb;
      more = item.name.more;
      bytes = item.bytes;
      from = item.from;
      to = item.to;
    }

    /**
     * Returns the time of the event. A first time that is older than the retention is not used: it
     * would lose an event that is acknowledged now.
     */
    private long firstTicks(long kept) {
      return type.isKept(kept, ticks) ? kept : ticks;
    }
  }

  UntimedEvents(FixedShards shards) {
    this.shards = shards;
  }

  /** Returns whether the event may need a row of its own, as far as its type shows. */
  boolean add(DecodedItem event) {
    CachedType before = events.isEmpty() ? null : events.get(events.size() - 1).type;
    events.add(new Event(event));
    return event.type != before;
  }

  /** Returns the ids of the events, with the times of this attempt. */
  FirstTimes found() {
    return new FirstTimes(
        events.stream().mapToLong(event -> event.lsb).toArray(),
        events.stream().mapToLong(event -> event.more).toArray(),
        events.stream().mapToLong(event -> event.ticks).toArray());
  }

  /** Adds the events to a write, with the times at which they were first found. */
  PendingWrite addTo(PendingWrite write, FirstTimes times) {
    Map<RowName, ColumnsBuilder> rows = new TreeMap<>();
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      long ticks = event.firstTicks(times.ticks(i));
      Hour hour = Hour.ofTicks(ticks);
      int shard = shards.shard(hour, event.type.text, ticks, event.lsb);
      rows.computeIfAbsent(
              new RowName(new TypeHour(hour, event.type.text), shard),
              name -> new ColumnsBuilder(1, event.to - event.from))
          .add(ticks, event.lsb, event.bytes, event.from, event.to);
    }
    List<Mutation> mutations = new ArrayList<>(write.mutations());
    List<PendingWrite.Batch> pending = new ArrayList<>(write.pending());
    rows.forEach((name, columns) -> name.add(columns.build().compact(), mutations, pending));
    return new PendingWrite(mutations, pending, null, write.events(), write.untimed());
  }
}
