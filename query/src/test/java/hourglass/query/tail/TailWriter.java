package hourglass.query.tail;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.tail.TailFollower.Event;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes and remembers events of all ages, some repeatedly. A write has many events of a row, like
 * an import, so that records are long. Used by one thread at a time.
 */
final class TailWriter {
  private static final byte[] PAYLOAD = "{}".getBytes(StandardCharsets.UTF_8);

  final Set<Event> written = new HashSet<>();
  private final WideColumnStore store;
  private final Clock clock;
  private final Random random;

  TailWriter(WideColumnStore store, Clock clock, Random random) {
    this.store = store;
    this.clock = clock;
    this.random = random;
  }

  /** A batch of at most so many events. */
  void write(int eventsMax) {
    List<Event> known = new ArrayList<>(written);
    Map<RowKey, List<Event>> rows = new TreeMap<>();
    int shard = random.nextInt(2);
    int types = 1 + random.nextInt(3);
    for (int i = random.nextInt(eventsMax); i >= 0; i--) {
      Event event =
          random.nextInt(4) == 0 && !known.isEmpty()
              ? known.get(random.nextInt(known.size()))
              : fresh(types);
      RowKey row = new RowKey(event.name().hour(), event.type(), shard);
      rows.computeIfAbsent(row, any -> new ArrayList<>()).add(event);
      written.add(event);
    }
    List<Mutation> mutations = new ArrayList<>();
    rows.forEach((row, events) -> mutations.add(mutation(row, events)));
    store.write(mutations).toCompletableFuture().join();
  }

  private Event fresh(int types) {
    long now = Ticks.of(clock.instant());
    long age = random.nextInt(5) == 0 ? random.nextInt(60_000) : random.nextInt(3_000);
    long early = random.nextInt(6) == 0 ? random.nextInt(5_000) : 0;
    // Few times per second, so that names and ticks coincide.
    long millis = (age - early) / 50 * 50;
    TimeUuid name = TimeUuid.first(now - millis * Ticks.PER_MILLI);
    return new Event(
        random.nextBoolean() ? name : name.successor(), "type " + random.nextInt(types));
  }

  private static Mutation mutation(RowKey row, List<Event> events) {
    ColumnsBuilder columns = new ColumnsBuilder(events.size(), PAYLOAD.length * events.size());
    for (Event event : events) {
      columns.add(event.name().ticks(), event.name().lsb(), PAYLOAD, 0, PAYLOAD.length);
    }
    return new Mutation(row, columns.build());
  }
}
