package hourglass.query.count;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.query.Selection;
import hourglass.query.TypeCount;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.StoreAccess;
import hourglass.query.scan.TypedRows;
import hourglass.store.RowCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** Counts the events of each type exactly, and the bytes of their payloads. */
public final class TypesCount {
  /** The memory of a type: its entry, counts and name. */
  private static final int TYPE_BYTES = 200;

  private final Selection selection;
  private final EventCounter counter;
  private final AnswerBytes.Account account;

  /** Guarded by this. */
  private final TreeMap<String, TypeCount> counts = new TreeMap<>();

  private TypesCount(Selection selection, EventCounter counter, AnswerBytes.Account account) {
    this.selection = selection;
    this.counter = counter;
    this.account = account;
  }

  /** The types that have events in the selection, sorted by name. */
  public static CompletionStage<List<TypeCount>> run(
      Selection selection, DirectoryScan counting, EventCounter counter, StoreAccess access) {
    TypesCount query = new TypesCount(selection, counter, access.account());
    return counting.forEachType(selection, query::count).thenApply(done -> query.toCounts());
  }

  private CompletionStage<?> count(Hour hour, TypedRows typed) {
    return counter
        .count(typed.rows(), selection.range().within(hour), hour.startTicks(), Ticks.PER_HOUR)
        .thenAccept(counted -> add(typed.type(), counted));
  }

  private synchronized void add(String type, RowCounts more) {
    if (more.columns() > 0) {
      if (!counts.containsKey(type)) {
        account.take(TYPE_BYTES);
      }
      counts.merge(type, new TypeCount(type, more.columns(), more.bytes()), TypeCount::plus);
    }
  }

  private synchronized List<TypeCount> toCounts() {
    return new ArrayList<>(counts.values());
  }
}
