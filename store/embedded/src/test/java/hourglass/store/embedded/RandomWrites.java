package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random mutations over a few rows: mostly new names, some written again with other payloads. */
public final class RandomWrites {
  public static final Hour HOUR = Hour.parse("2026-11-20T08");
  static final String SHORT_LIVED = "beat";
  private static final List<String> TYPES = List.of("click", "a|b%\u20ac", SHORT_LIVED);

  private final Random random;
  private final int hours;
  private final List<TimeUuid> old = new ArrayList<>();

  RandomWrites(Random random, int hours) {
    this.random = random;
    this.hours = hours;
  }

  Hour hour() {
    return new Hour(HOUR.epochHours() + random.nextInt(hours));
  }

  List<Mutation> next() {
    List<Mutation> mutations = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String type = TYPES.get(random.nextInt(TYPES.size()));
      mutations.add(mutation(new RowKey(hour(), type, random.nextInt(2))));
    }
    return mutations;
  }

  private Mutation mutation(RowKey row) {
    ColumnsBuilder columns = new ColumnsBuilder(8, 1024);
    for (int i = random.nextInt(random.nextInt(10) == 0 ? 300 : 12); i >= 0; i--) {
      TimeUuid name = name(row.hour());
      byte[] payload = payload();
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return new Mutation(row, columns.build());
  }

  private TimeUuid name(Hour hour) {
    if (!old.isEmpty() && random.nextInt(10) == 0) {
      TimeUuid again = old.get(random.nextInt(old.size()));
      if (hour.contains(again.ticks())) {
        return again;
      }
    }
    long ticks = hour.startTicks() + (long) (random.nextDouble() * Ticks.PER_HOUR);
    TimeUuid name = new TimeUuid(ticks, 0x8000_0000_0000_0000L | random.nextLong() >>> 2);
    if (random.nextInt(5) == 0) {
      old.add(name);
    }
    return name;
  }

  private byte[] payload() {
    return switch (random.nextInt(40)) {
      case 0 -> new byte[random.nextInt(3000)];
      case 1, 2 -> Chance.bytes(random, random.nextInt(20_000));
      default -> Chance.bytes(random, random.nextInt(200));
    };
  }
}
