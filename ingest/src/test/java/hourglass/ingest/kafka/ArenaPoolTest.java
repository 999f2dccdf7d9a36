package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.decode.RecordArena;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which arenas are used again, and how many are kept for it. */
class ArenaPoolTest {
  private static final int WHOLE = FlightBuilder.BYTES_MAX;

  private final ArenaPool spares = new ArenaPool(1);

  private boolean isKept(RecordArena arena) {
    spares.release(arena);
    return spares.take(20_000, WHOLE) == arena;
  }

  @Test
  void arenaIsTakenOnce() {
    RecordArena arena = new RecordArena(20_000, WHOLE);
    assertThat(isKept(arena)).isTrue();
    assertThat(spares.take(20_000, WHOLE)).isNotSameAs(arena);
  }

  @Test
  void arenaIsNotTakenForFewRecords() {
    RecordArena arena = new RecordArena(20_000, WHOLE);
    spares.release(arena);
    RecordArena small = spares.take(10, 1_000);
    assertThat(small).isNotSameAs(arena);
    assertThat(small.memory()).isLessThan(2_000);
    assertThat(spares.take(15_000, WHOLE * 3L / 4)).isSameAs(arena);
  }

  @Test
  void poolKeepsUsualSizesOnly() {
    assertThat(isKept(new RecordArena(10, WHOLE / 2))).isTrue();
    assertThat(isKept(new RecordArena(10, 1_000))).as("cheap to make anew").isFalse();
    assertThat(isKept(new RecordArena(1, 3 * WHOLE))).as("of one large record").isFalse();
  }

  @Test
  void poolKeepsItsShareOfTheProcess() {
    assertThat(kept(1)).isEqualTo(4); // of a little more than 4 MiB each, in 20 MiB
    assertThat(kept(4)).isEqualTo(1);
    assertThat(kept(KafkaOptions.CONSUMERS_MAX)).isZero();
  }

  private static int kept(int consumers) {
    ArenaPool spares = new ArenaPool(consumers);
    Set<RecordArena> given = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      given.add(new RecordArena(10, WHOLE));
    }
    given.forEach(spares::release);
    int kept = 0;
    while (given.contains(spares.take(10, WHOLE))) {
      kept++;
    }
    return kept;
  }
}
