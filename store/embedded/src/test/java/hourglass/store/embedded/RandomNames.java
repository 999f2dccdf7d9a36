package hourglass.store.embedded;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import java.util.Random;

/** Columns with names anywhere in their hour, such as hashes give. */
final class RandomNames {
  private RandomNames() {}

  static Mutation columns(RowKey row, int count, Random random) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 2 * count);
    byte[] payload = {'{', '}'};
    for (int i = 0; i < count; i++) {
      long ticks = row.hour().startTicks() + (long) (random.nextDouble() * Ticks.PER_HOUR);
      columns.add(ticks, Long.MIN_VALUE | random.nextLong() >>> 2, payload, 0, 2);
    }
    return new Mutation(row, columns.build());
  }
}
