package hourglass.store.embedded.firsttimes;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FirstTimeTableTest {
  private static final int EVENTS = 20_000;

  private record Event(long lsb, long more) {}

  /** Halves from a small range: many events share one of them. */
  @Test
  void agreesWithAMap() {
    Random random = Seed.random(this);
    Map<Event, Long> model = new HashMap<>();
    FirstTimeTable table = new FirstTimeTable();
    for (int i = 0; i < EVENTS; i++) {
      Event event = new Event(random.nextInt(300), random.nextInt(300));
      long ticks = 1 + random.nextInt(1_000);
      int slot = table.find(event.lsb, event.more);
      assertThat(slot == FirstTimeTable.ABSENT).isEqualTo(!model.containsKey(event));
      if (slot == FirstTimeTable.ABSENT) {
        slot = table.put(event.lsb, event.more, ticks);
        table.setInFile(slot, random.nextBoolean());
      }
      assertThat(table.ticks(slot)).isEqualTo(model.merge(event, ticks, (first, now) -> first));
    }
    assertThat(table.size()).isEqualTo(model.size());
  }
}
