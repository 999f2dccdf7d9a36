package hourglass.query.scan;

import static java.util.stream.Collectors.joining;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.query.EventQuery;
import hourglass.query.Gaps;
import hourglass.query.NoSuchEventException;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.EventText;
import hourglass.query.encode.RowText;
import hourglass.query.fair.QueryThread;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.UnavailableException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;

/** Finds the event that has an id, by a scan of the id's tick. */
public final class EventLookup {
  private static final int TYPES_NAMED = 20;
  private static final byte[] NOT_KEPT = {};

  private EventLookup() {}

  /**
   * Returns the event as JSON. An empty set of {@code types} allows all. Fails with {@link
   * BadParameterException} if events of several types have the id.
   */
  public static Optional<byte[]> run(
      TimeUuid id, SortedSet<String> types, StoreAccess access, QueryThread thread) {
    Map<String, byte[]> found = find(id, types, access, thread);
    if (found.size() > 1) {
      throw new BadParameterException(
          "type: not given, and events of several types have this id; want one of "
              + names(found.keySet()));
    }
    return found.values().stream().findFirst();
  }

  /**
   * Returns the events that have the id, by type. Only the first one is kept as JSON; the others
   * are empty. Fails if there is none but a part of its hour is missing, or its hour was dropped.
   */
  static Map<String, byte[]> find(
      TimeUuid id, SortedSet<String> types, StoreAccess access, QueryThread thread) {
    long ticks = id.ticks();
    if (ticks < Hour.FIRST.startTicks() || ticks >= Hour.LAST.endTicks()) {
      return Map.of(); // outside the hours of any store
    }
    Selection tick = new Selection(types, new TimeRange(ticks, ticks + 1), "");
    EventScan scan =
        new EventScan(access, new EventQuery(tick, Order.ASCENDING, EventQuery.ALL, null));
    TreeMap<String, byte[]> found = new TreeMap<>();
    EventSink sink =
        (row, columns, i) -> {
          if (columns.lsb(i) == id.lsb()) {
            found.put(row.text().type(), found.isEmpty() ? json(row.text(), columns, i) : NOT_KEPT);
          }
          return EventSink.Verdict.TAKEN;
        };
    scan.forEach(sink, thread);
    if (found.isEmpty()) {
      explain(id, thread.await(tick.gapsOf(access.store())));
    }
    return found;
  }

  private static void explain(TimeUuid id, Gaps gaps) {
    if (!gaps.missing().isEmpty()) {
      throw new UnavailableException(
          "id: not found, but " + gaps.missing() + " is missing in its hour");
    }
    if (!gaps.dropped().isEmpty()) {
      throw new NoSuchEventException(
          "id: there is no event %s; %s was dropped"
              .formatted(id, String.join(", ", gaps.dropped().names())));
    }
  }

  private static byte[] json(RowText row, Columns columns, int i) {
    byte[] event = new byte[EventText.bytes(row, columns, i)];
    return Arrays.copyOf(event, new EventText().write(row, columns, i, event, 0));
  }

  static String names(Collection<String> types) {
    String some = types.stream().limit(TYPES_NAMED).collect(joining(", "));
    return types.size() <= TYPES_NAMED
        ? some
        : some + " and " + (types.size() - TYPES_NAMED) + " others";
  }
}
