package hourglass.query.count;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.query.BadParameterException;
import hourglass.query.Group;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.Steps;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import java.util.HashMap;
import java.util.Map;

/** Counts the events of a {@link HitsQuery} in steps. Thread-safe. */
public final class HitsCount {
  /** The memory of one count of a row in a map. */
  private static final int COUNT_BYTES = 80;

  /** The memory of a series without its counts: its entry and its type. */
  private static final int SERIES_BYTES = 200;

  private final HitsQuery query;
  private final Steps steps;
  private final StoreAccess access;
  private final Groups groups;
  private final AnswerBytes.Account account;

  /** The counts of each group, by step. Guarded by this. */
  private final Map<Group, long[]> series = new HashMap<>();

  private HitsCount(HitsQuery query, StoreAccess access, Groups groups) {
    this.query = query;
    this.access = access;
    this.groups = groups;
    steps = query.steps();
    account = access.account();
    long[] first = counts(); // refuses too many steps at once
    if (query.grouping().by().isEmpty()) {
      series.put(Group.ALL, first);
    }
  }

  public static Hits run(
      HitsQuery query,
      StoreAccess access,
      AnswerRows answerRows,
      boolean partial,
      QueryThread thread) {
    Groups groups = Groups.find(query.selection(), query.grouping(), access, partial, thread);
    HitsCount count = new HitsCount(query, access, groups);
    count.read(answerRows, thread);
    return count.toHits();
  }

  private void read(AnswerRows answerRows, QueryThread thread) {
    if (groups.hasFields() || query.selection().isFiltered()) {
      EventBatchReader.read(query.selection(), access, answerRows, this::batch, thread);
    } else {
      new EventCounter(access, null, answerRows).count(query.selection(), new TypeSum(), thread);
    }
  }

  private EventBatch batch(String type) {
    return new GroupedBatch(
        groups.finder(type, access.gone()), steps, null, access.gone(), EventCount::new);
  }

  /** Adds counts by type, without payloads. */
  private final class TypeSum implements EventCounter.Sum {
    @Override
    public CountQuery question(RowKey row, ColumnRange range) {
      return new CountQuery(row, range, query.selection().range().fromTicks(), steps.ticks());
    }

    @Override
    public long bytes(long columns) {
      long stepsOfHour = Ticks.PER_HOUR / steps.ticks() + 1;
      return COUNT_BYTES * Math.min(Math.min(columns, steps.count()), stepsOfHour);
    }

    @Override
    public void add(String type, RowCounts counts) {
      HitsCount.this.add(groups.ofType(type), counts);
    }
  }

  private long[] counts() {
    if ((series.size() + 1) * steps.count() > access.options().buckets()) {
      throw tooManySteps(query.stepMillis(), access.options().buckets());
    }
    account.take(SERIES_BYTES + Long.BYTES * steps.count());
    return new long[Math.toIntExact(steps.count())];
  }

  static BadParameterException tooManySteps(long stepMillis, int bucketsMax) {
    return new BadParameterException(
        "step: %d ms makes more than %d counts over the range; want a longer step, a shorter"
                .formatted(stepMillis, bucketsMax)
            + " range, or fewer types or groups");
  }

  private synchronized void add(Group group, RowCounts more) {
    if (more.columns() > 0) {
      long[] counts = series.computeIfAbsent(group, absent -> counts());
      more.columnsByStep().forEach((step, columns) -> counts[step] += columns);
    }
  }

  private synchronized void add(Group group, int step, long events) {
    series.computeIfAbsent(group, absent -> counts())[step] += events;
  }

  private synchronized Hits toHits() {
    return new Hits(steps, query.grouping(), groups.inOrder(series));
  }

  /** Counts the events of a group and step. */
  private final class EventCount implements ValueSink {
    private final Group group;
    private final int step;
    private long events;

    private EventCount(Group group, int step) {
      this.group = group;
      this.step = step;
    }

    @Override
    public void take(byte[] json, int from, int to, int more) {
      events += more;
    }

    @Override
    public void takeAbsent(long more) {
      events += more;
    }

    @Override
    public void flush() {
      add(group, step, events);
      events = 0;
    }
  }
}
