package hourglass.query.count;

import hourglass.bucketing.EventType;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.query.Selection;
import hourglass.query.TypeCount;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.QueryThread;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.RowCounts;
import java.util.List;
import java.util.TreeMap;

/** Counts the events of each type exactly, and the bytes of their payloads. Used by one thread. */
public final class TypesCount implements EventCounter.Sum {
  /** The memory of a type: its entry, counts and name. */
  private static final int TYPE_BYTES = 200;

  private final AnswerBytes.Account account;
  private final TreeMap<String, TypeCount> counts = new TreeMap<>(EventType::compare);

  private TypesCount(AnswerBytes.Account account) {
    this.account = account;
  }

  /** Returns the types with events in the selection, sorted by the code points of their names. */
  public static List<TypeCount> run(
      Selection selection, EventCounter counter, AnswerBytes.Account account, QueryThread thread) {
    TypesCount counts = new TypesCount(account);
    counter.count(selection, counts, thread);
    return List.copyOf(counts.counts.values());
  }

  @Override
  public CountQuery question(RowKey row, ColumnRange range) {
    return new CountQuery(row, range, row.hour().startTicks(), Ticks.PER_HOUR);
  }

  @Override
  public long bytes(long columns) {
    return 0;
  }

  @Override
  public void add(String type, RowCounts more) {
    if (more.columns() > 0) {
      if (!counts.containsKey(type)) {
        account.take(TYPE_BYTES);
      }
      counts.merge(type, new TypeCount(type, more.columns(), more.bytes()), TypeCount::plus);
    }
  }
}
