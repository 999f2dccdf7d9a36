package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Limitation;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasableStore;
import hourglass.store.erasure.ErasingStore;
import java.util.List;
import java.util.stream.IntStream;

/** The store under test, and a few rows and names. */
interface StoreFixture {
  Hour HOUR = Hour.parse("2026-11-20T08");

  RowKey ROW = new RowKey(HOUR, "checkout", 0);

  ColumnRange WHOLE_HOUR = ColumnRange.of(HOUR);

  WideColumnStore engine();

  /** Opens the store again in the same place. */
  void reopen();

  /** Seals every row; requires an engine that {@link #can} seal. */
  void sealNow();

  /** Whether a failing random case is made smaller, which needs many attempts. */
  default boolean shrinks() {
    return true;
  }

  default BlockingStore store() {
    return new BlockingStore(engine());
  }

  /** The store that hides what is erased, over an engine that can erase. */
  default ErasingStore erasing() {
    return ErasingStore.over((ErasableStore) engine());
  }

  default boolean can(Limitation not) {
    return !engine().limitations().contains(not);
  }

  static TimeUuid name(int second) {
    return new TimeUuid(HOUR.startTicks() + second * Ticks.PER_SECOND, 0x9000_0000_0000_0000L);
  }

  static Column column(int second, String payload) {
    return new Column(name(second), payload);
  }

  /** One column per second of {@code [from, to)}, each with its own payload. */
  static List<Column> seconds(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> column(i, "event " + i)).toList();
  }
}
