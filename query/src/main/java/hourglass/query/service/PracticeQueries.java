package hourglass.query.service;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Chunk;
import hourglass.query.EventQuery;
import hourglass.query.Fields;
import hourglass.query.FieldsQuery;
import hourglass.query.Grouping;
import hourglass.query.HitsQuery;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TimeRange;
import hourglass.query.TopQuery;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.QueryThread;
import hourglass.query.values.FieldSummary.Kind;
import hourglass.query.values.TopValues;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Small queries of all kinds over the newest stored events, whose answers are thrown away. They
 * make the JVM compile the code of queries, with the rows and fields of this store, before a client
 * asks. Used by one thread.
 */
public final class PracticeQueries {
  /** The number of events that a round reads at the most: about a page of each of some rows. */
  private static final long EVENTS = 30_000;

  /** How far back the newest hour with events is looked for. */
  private static final Duration RECENT = Duration.ofDays(7);

  /** The fields of a kind that a round reads. */
  private static final int FIELDS = 2;

  /** A field whose name needs no quotes in an expression. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*");

  /** A word that hardly occurs, so that indexes are read and few pages. */
  private static final String RARE_WORD = "hourglasspractice";

  private final WideColumnStore store;
  private final QueryService service;
  private final Clock clock;

  /** Creates queries; the wall {@code clock} tells which hours are recent. */
  public PracticeQueries(WideColumnStore store, QueryService service, Clock clock) {
    this.store = store;
    this.service = service;
    this.clock = clock;
  }

  /**
   * Asks one query of each kind, until {@code enough}.
   *
   * @return whether there were events to read
   */
  public boolean round(QueryThread thread, BooleanSupplier enough) {
    TimeRange range = newest(thread);
    if (range.isEmpty()) {
      return false;
    }
    Selection all = new Selection(new TreeSet<>(), range, "");
    Fields fields =
        service.fields(new FieldsQuery(all, "", FieldsQuery.N_DEFAULT, true), true, thread).value();
    for (Runnable query : queries(all, fields, thread)) {
      if (enough.getAsBoolean()) {
        return true;
      }
      query.run();
    }
    return true;
  }

  /** Returns a range at the begin of the newest hour with about {@link #EVENTS} events. */
  private TimeRange newest(QueryThread thread) {
    Hour now = Hour.of(clock.instant());
    Hour first = Hour.of(clock.instant().minus(RECENT));
    List<Hour> hours = thread.await(store.hours(first, now));
    if (hours.isEmpty()) {
      return new TimeRange(now.startTicks(), now.startTicks());
    }
    Hour newest = hours.get(hours.size() - 1);
    List<RowEntry> rows = thread.await(store.rows(newest));
    long events = rows.stream().mapToLong(RowEntry::columns).sum();
    long from = newest.endTicks();
    long to = newest.startTicks();
    for (RowEntry row : rows) {
      from = Math.min(from, ticks(newest, row.first()));
      to = Math.max(to, ticks(newest, row.last()) + 1);
    }
    double share = Math.min(1, (double) EVENTS / Math.max(1, events));
    return new TimeRange(from, Math.max(from, from + (long) Math.ceil(share * (to - from))));
  }

  /** Returns the time of a name, within the hour: a bound of names may lie outside. */
  private static long ticks(Hour hour, TimeUuid name) {
    return Math.max(hour.startTicks(), Math.min(hour.endTicks() - 1, name.ticks()));
  }

  private List<Runnable> queries(Selection all, Fields fields, QueryThread thread) {
    List<Runnable> queries = new ArrayList<>();
    for (Order order : Order.values()) {
      queries.add(() -> events(all, order, thread));
    }
    queries.add(() -> hits(all, Grouping.OF_TYPES, thread));
    queries.add(() -> service.types(all, true, thread));
    selected(fields, Kind.NUMBER)
        .forEach(
            path ->
                queries.add(
                    () ->
                        service.stats(
                            new StatsQuery(all, path, Grouping.OF_TYPES, 0), true, thread)));
    for (String path : selected(fields, Kind.STRING)) {
      TopQuery top = new TopQuery(all, path, TopQuery.N_DEFAULT, Grouping.NONE);
      queries.add(() -> service.top(top, true, thread));
    }
    for (String where : comparisons(fields)) {
      Selection some = with(all, "", List.of(), where);
      queries.add(() -> hits(some, Grouping.NONE, thread));
      queries.add(() -> events(some, Order.DESCENDING, thread));
    }
    for (Selection rare :
        List.of(with(all, "", List.of(RARE_WORD), ""), with(all, RARE_WORD, List.of(), ""))) {
      queries.add(() -> events(rare, Order.DESCENDING, thread));
    }
    return queries;
  }

  private static Selection with(Selection all, String contains, List<String> words, String where) {
    return new Selection(all.types(), all.range(), contains, false, words, where, null);
  }

  private static List<String> selected(Fields fields, Kind kind) {
    return fields.fields().stream()
        .filter(field -> field.summary().events(kind) > 0)
        .map(Fields.Field::path)
        .limit(FIELDS)
        .toList();
  }

  /** Returns expressions that compare a field with a value that occurs. */
  private static List<String> comparisons(Fields fields) {
    List<String> expressions = new ArrayList<>();
    for (Fields.Field field : fields.fields()) {
      List<TopValues.Value> values = field.summary().frequent(1).values();
      if (!values.isEmpty()
          && PLAIN.matcher(field.path()).matches()
          && expressions.size() < 2 * FIELDS) {
        expressions.add("data." + field.path() + " == " + values.get(0).json());
      }
    }
    return expressions;
  }

  private void hits(Selection selection, Grouping grouping, QueryThread thread) {
    service.hits(
        new HitsQuery(selection, Duration.ofMinutes(1).toMillis(), grouping), true, thread);
  }

  private void events(Selection selection, Order order, QueryThread thread) {
    Chunk chunk = new Chunk(service.options().chunkBytes());
    EventQuery query = new EventQuery(selection, order, 1_000, null, true, null);
    service
        .events(query, EventFormat.JSON, CsvTable.STANDARD)
        .write(
            bytes -> {
              chunk.clear();
              return chunk.hasRoom(bytes) ? chunk : new Chunk(bytes);
            },
            thread);
  }
}
