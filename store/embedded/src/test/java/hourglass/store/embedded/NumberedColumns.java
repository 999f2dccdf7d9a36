package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/** Columns with numbers for names: the n-th is at 10 n milliseconds of its hour, from 0 up. */
public final class NumberedColumns {
  private static final long STEP_TICKS = 10 * Ticks.PER_MILLI;

  private NumberedColumns() {}

  public static TimeUuid name(Hour hour, int number) {
    return new TimeUuid(hour.startTicks() + number * STEP_TICKS, 0x9000_0000_0000_0000L);
  }

  /** Columns of the numbers {@code [from, to)}, with short payloads of their own. */
  public static Mutation columns(RowKey row, int from, int to) {
    return columns(row, from, to, n -> ("event " + n).getBytes(StandardCharsets.UTF_8));
  }

  /** Columns of the numbers {@code [from, to)}. */
  static Mutation columns(RowKey row, int from, int to, IntFunction<byte[]> payloads) {
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 16 * (to - from));
    for (int n = from; n < to; n++) {
      byte[] payload = payloads.apply(n);
      TimeUuid name = name(row.hour(), n);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return new Mutation(row, columns.build());
  }
}
