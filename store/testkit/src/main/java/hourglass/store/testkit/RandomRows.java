package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random rows, names and writes. They are few rows and names, so that most are repeats, conflicts
 * or edge cases.
 */
final class RandomRows {
  private static final List<String> TYPES = List.of("checkout", "check|%\nout", "\ud83d\ude80");
  private static final int SHARDS = 2;
  private static final long[] LSBS = {Long.MIN_VALUE, -1, 0x8080808080808080L, 0, Long.MAX_VALUE};

  private final Random random;

  RandomRows(Random random) {
    this.random = random;
  }

  List<Mutation> mutations() {
    List<Mutation> mutations = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      mutations.add(mutation(row()));
    }
    return mutations;
  }

  private Mutation mutation(RowKey row) {
    List<Column> columns = new ArrayList<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      columns.add(new Column(name(row.hour()), payload()));
    }
    return new Mutation(row, Column.pack(columns));
  }

  private String payload() {
    if (random.nextInt(3) == 0) {
      return "{\"copy\":%d,\"n\":%d}".formatted(random.nextInt(9), random.nextInt(4));
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(300);
    StringBuilder payload = new StringBuilder();
    for (int i = 0; i < length; i++) {
      payload.append((char) (random.nextInt(4) == 0 ? random.nextInt(256) : 'a'));
    }
    return payload.toString();
  }

  Hour hour() {
    return new Hour(StoreFixture.HOUR.epochHours() + random.nextInt(3));
  }

  RowKey row() {
    String type = TYPES.get(random.nextInt(TYPES.size()));
    return new RowKey(hour(), type, random.nextInt(SHARDS));
  }

  /** A range that ends at names, next to names or anywhere, possibly reversed. */
  ColumnRange range(Hour hour) {
    return random.nextInt(4) == 0
        ? ColumnRange.of(hour)
        : new ColumnRange(bound(hour), bound(hour));
  }

  private TimeUuid bound(Hour hour) {
    TimeUuid name = name(hour);
    return random.nextBoolean() ? name : name.successor();
  }

  /** One of 120 names of an hour: 8 minutes, 3 ticks in each, 5 names per tick. */
  private TimeUuid name(Hour hour) {
    long minute = random.nextInt(8) * 7L * Ticks.PER_MINUTE;
    long ticks = hour.startTicks() + minute + random.nextInt(3);
    return new TimeUuid(ticks, LSBS[random.nextInt(LSBS.length)]);
  }
}
