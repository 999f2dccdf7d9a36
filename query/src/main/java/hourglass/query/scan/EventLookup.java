package hourglass.query.scan;

import static java.util.stream.Collectors.joining;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.query.EventQuery;
import hourglass.query.Progress;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.EventText;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.UnavailableException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Finds the event with an id by a scan of its tick. */
public final class EventLookup {
  private static final int TYPES_NAMED = 20;
  private static final byte[] NOT_KEPT = {};

  private final TimeUuid id;
  private final EventScan scan;
  private final Executor executor;
  private final EventText text = new EventText();

  /**
   * Events by type, since several types may have one with this id. Only the first payload is kept.
   */
  private final TreeMap<String, byte[]> found = new TreeMap<>();

  private EventLookup(TimeUuid id, EventScan scan, Executor executor) {
    this.id = id;
    this.scan = scan;
    this.executor = executor;
  }

  /**
   * Finds the event with an id.
   *
   * @param types types to search; empty: all
   * @return the event as JSON; fails with {@link BadParameterException} if several types have one
   */
  public static CompletionStage<Optional<byte[]>> run(
      TimeUuid id, SortedSet<String> types, StoreAccess access) {
    return find(id, types, access).thenApply(EventLookup::theOne);
  }

  /**
   * Finds the events with an id, by type. Only the first event is kept as JSON; the others are
   * empty.
   */
  static CompletionStage<Map<String, byte[]>> find(
      TimeUuid id, SortedSet<String> types, StoreAccess access) {
    long ticks = id.ticks();
    if (ticks < Hour.FIRST.startTicks() || ticks >= Hour.LAST.endTicks()) {
      return CompletableFuture.completedFuture(Map.of()); // outside the hours of any store
    }
    Selection tick = new Selection(types, new TimeRange(ticks, ticks + 1), "");
    EventQuery query = new EventQuery(tick, Order.ASCENDING, EventQuery.ALL, null);
    EventScan scan = new EventScan(access, query);
    return new EventLookup(id, scan, access.executor())
        .run()
        .thenApply(found -> refuseIfMissing(found, tick.missingOf(access.store())));
  }

  /**
   * Refuses an empty result if the store lacks a part of the hour, since the event may be there.
   */
  private static Map<String, byte[]> refuseIfMissing(
      Map<String, byte[]> found, List<String> missing) {
    if (found.isEmpty() && !missing.isEmpty()) {
      throw new UnavailableException("id: not found, but " + missing + " is missing in its hour");
    }
    return found;
  }

  private CompletionStage<Map<String, byte[]>> run() {
    return scan.advance(this::look) == Progress.WAITING
        ? scan.awaited().thenComposeAsync(answer -> run(), executor)
        : CompletableFuture.completedFuture(found);
  }

  private EventSink.Verdict look(RowReader row, Columns columns, int i) {
    if (columns.lsb(i) == id.lsb()) {
      found.put(row.text().type(), found.isEmpty() ? event(row, columns, i) : NOT_KEPT);
    }
    return EventSink.Verdict.TAKEN;
  }

  private byte[] event(RowReader row, Columns columns, int i) {
    byte[] event = new byte[EventText.bytes(row.text(), columns, i)];
    int end = text.write(row.text(), columns, i, event, 0);
    return Arrays.copyOf(event, end);
  }

  /** Names the first types, and the number of the others, for a message. */
  static String names(Collection<String> types) {
    String some = types.stream().limit(TYPES_NAMED).collect(joining(", "));
    return types.size() <= TYPES_NAMED
        ? some
        : some + " and " + (types.size() - TYPES_NAMED) + " others";
  }

  private static Optional<byte[]> theOne(Map<String, byte[]> found) {
    if (found.size() > 1) {
      throw new BadParameterException(
          "type: not given, and events of several types have this id; want one of "
              + names(found.keySet()));
    }
    return found.values().stream().findFirst();
  }
}
