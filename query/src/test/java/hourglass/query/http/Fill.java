package hourglass.query.http;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import java.nio.charset.StandardCharsets;
import java.util.List;

public final class Fill {
  public static final Hour HOUR = Hour.parse("2026-11-20T08");

  private Fill() {}

  /** The same store, but for tests that share it: it stays open if one of them closes it. */
  static WideColumnStore shared(WideColumnStore store) {
    return new ForwardingStore() {
      @Override
      protected WideColumnStore delegate() {
        return store;
      }

      @Override
      public void close() {
        // left to the last of the tests
      }
    };
  }

  /** A row with {@code {"n":0}} at the first second of the hour, and so on. */
  public static void row(WideColumnStore store, String type, int columns) {
    row(store, type, columns, "");
  }

  public static void row(WideColumnStore store, String type, int columns, String more) {
    row(store, type, 0, columns, more);
  }

  public static void row(WideColumnStore store, String type, int shard, int columns, String more) {
    row(store, new RowKey(HOUR, type, shard), columns, more);
  }

  public static void row(WideColumnStore store, RowKey row, int columns, String more) {
    ColumnsBuilder out = new ColumnsBuilder(columns, columns * 10);
    long step = columns > 3600 ? Ticks.PER_HOUR / columns : Ticks.PER_SECOND;
    for (int i = 0; i < columns; i++) {
      TimeUuid name = TimeUuid.first(row.hour().startTicks() + i * step);
      String payload = "{\"n\":" + i + (more.isEmpty() ? "" : ",\"more\":\"" + more + "\"") + "}";
      byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
      out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    }
    store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
  }
}
