package hourglass.query.service;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
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
import hourglass.query.fair.AnswerBytes;
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
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Small queries of all kinds over the newest stored events, whose answers are thrown away. They
 * make the JVM compile the code of queries, with the rows and fields of this store, before a client
 * asks. Used by one thread.
 */
public final class PracticeQueries {
  /** The number of events that a round reads at the most: about a page of each of some rows. */
  private static final long EVENTS = 30_000;

  /** The number of events of a first round, which is to load classes and take little memory. */
  private static final long FIRST_EVENTS = 1_000;

  /** The most rows of an hour that are read. Many of them cost more than their events. */
  private static final int ROWS_MAX = 1_000;

  /** The most memory of a round. Practice must never take what clients need. */
  private static final long BYTES_MAX = 32 << 20;

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
   * Asks one query of each kind, and gives up the one under way once it is {@code enough}, which
   * any thread may ask.
   *
   * @param isFirst whether the round is only to load the classes of queries
   * @return the number of answers; 0 if there were no events to read
   */
  public int round(QueryThread thread, boolean isFirst, BooleanSupplier enough) {
    int answers = 0;
    try (AnswerBytes.Account account = new AnswerBytes(BYTES_MAX).open("")) {
      QueryService bounded = service.with(access -> access.with(account).until(enough));
      for (Consumer<QueryService> query :
          thread.until(
              enough,
              () -> queries(newest(thread, isFirst ? FIRST_EVENTS : EVENTS), bounded, thread))) {
        answers += thread.until(enough, () -> isAnswered(query, bounded)) ? 1 : 0;
      }
    } catch (CancellationException e) {
      return answers; // it is enough
    }
    return answers;
  }

  /** Returns false for a value that no expression can name, or an answer that is too large. */
  private static boolean isAnswered(Consumer<QueryService> query, QueryService on) {
    try {
      query.accept(on);
      return true;
    } catch (BadParameterException e) {
      return false;
    }
  }

  /** Returns a range at the begin of the newest hour with about this many events. */
  private TimeRange newest(QueryThread thread, long wanted) {
    Hour now = Hour.of(clock.instant());
    Hour first = Hour.of(clock.instant().minus(RECENT));
    List<Hour> hours = thread.await(store.hours(first, now));
    if (hours.isEmpty()) {
      return new TimeRange(now.startTicks(), now.startTicks());
    }
    Hour newest = hours.get(hours.size() - 1);
    List<RowEntry> rows = thread.await(store.rows(newest));
    if (rows.size() > ROWS_MAX) {
      return new TimeRange(newest.startTicks(), newest.startTicks());
    }
    long events = rows.stream().mapToLong(RowEntry::columns).sum();
    long from = newest.endTicks();
    long to = newest.startTicks();
    for (RowEntry row : rows) {
      from = Math.min(from, ticks(newest, row.first()));
      to = Math.max(to, ticks(newest, row.last()) + 1);
    }
    double share = Math.min(1, (double) wanted / Math.max(1, events));
    return new TimeRange(from, Math.max(from, from + (long) Math.ceil(share * (to - from))));
  }

  /** Returns the time of a name, within the hour: a bound of names may lie outside. */
  private static long ticks(Hour hour, TimeUuid name) {
    return Math.max(hour.startTicks(), Math.min(hour.endTicks() - 1, name.ticks()));
  }

  /** Returns queries of all kinds over a range, about the fields that its events have. */
  private static List<Consumer<QueryService>> queries(
      TimeRange range, QueryService bounded, QueryThread thread) {
    List<Consumer<QueryService>> queries = new ArrayList<>();
    if (range.isEmpty()) {
      return queries;
    }
    Selection all = new Selection(new TreeSet<>(), range, "");
    FieldsQuery ofFields = new FieldsQuery(all, "", FieldsQuery.N_DEFAULT, true);
    Fields fields = bounded.fields(ofFields, true, thread).value();
    for (Order order : Order.values()) {
      queries.add(on -> events(on, all, order, thread));
    }
    queries.add(on -> hits(on, all, Grouping.OF_TYPES, thread));
    queries.add(on -> on.types(all, true, thread));
    selected(fields, Kind.NUMBER)
        .forEach(
            path ->
                queries.add(
                    on -> on.stats(new StatsQuery(all, path, Grouping.OF_TYPES, 0), true, thread)));
    for (String path : selected(fields, Kind.STRING)) {
      TopQuery top = new TopQuery(all, path, TopQuery.N_DEFAULT, Grouping.NONE);
      queries.add(on -> on.top(top, true, thread));
    }
    for (String where : comparisons(fields)) {
      Selection some = with(all, "", List.of(), where);
      queries.add(on -> hits(on, some, Grouping.NONE, thread));
      queries.add(on -> events(on, some, Order.DESCENDING, thread));
    }
    for (Selection rare :
        List.of(with(all, "", List.of(RARE_WORD), ""), with(all, RARE_WORD, List.of(), ""))) {
      queries.add(on -> events(on, rare, Order.DESCENDING, thread));
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

  private static void hits(
      QueryService on, Selection selection, Grouping grouping, QueryThread thread) {
    on.hits(new HitsQuery(selection, Duration.ofMinutes(1).toMillis(), grouping), true, thread);
  }

  private static void events(
      QueryService on, Selection selection, Order order, QueryThread thread) {
    Chunk chunk = new Chunk(on.options().chunkBytes());
    EventQuery query = new EventQuery(selection, order, 1_000, null, true, null);
    on.events(query, EventFormat.JSON, CsvTable.STANDARD)
        .write(
            bytes -> {
              chunk.clear();
              return chunk.hasRoom(bytes) ? chunk : new Chunk(bytes);
            },
            thread);
  }
}
