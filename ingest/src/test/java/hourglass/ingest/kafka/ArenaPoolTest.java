package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.decode.RecordBatch;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The pool decides which arenas are used again, and how many are kept. */
class ArenaPoolTest {
  private static final int WHOLE = Flight.BYTES_MAX;

  private final ArenaPool spares = new ArenaPool(1);

  private boolean isKept(RecordBatch.Arena arena) {
    spares.release(arena);
    return spares.take(20_000, WHOLE) == arena;
  }

  @Test
  void arenaIsTakenOnce() {
    RecordBatch.Arena arena = new RecordBatch.Arena(20_000, WHOLE);
    assertThat(isKept(arena)).isTrue();
    assertThat(spares.take(20_000, WHOLE)).isNotSameAs(arena);
  }

  @Test
  void arenaIsNotTakenForFewRecords() {
    RecordBatch.Arena arena = new RecordBatch.Arena(20_000, WHOLE);
    spares.release(arena);
    RecordBatch.Arena small = spares.take(10, 1_000);
    assertThat(small).isNotSameAs(arena);
    assertThat(small.memory()).isLessThan(2_000);
    assertThat(spares.take(15_000, WHOLE * 3L / 4)).isSameAs(arena);
  }

  @Test
  void poolKeepsUsualSizesOnly() {
    assertThat(isKept(new RecordBatch.Arena(10, WHOLE / 2))).isTrue();
    assertThat(isKept(new RecordBatch.Arena(10, 1_000))).as("cheap to make anew").isFalse();
    assertThat(isKept(new RecordBatch.Arena(1, 3 * WHOLE))).as("of one large record").isFalse();
  }

  @Test
  void poolKeepsItsShareOfTheProcess() {
    assertThat(kept(1)).isEqualTo(4); // of a little more than 4 MiB each, in 20 MiB
    assertThat(kept(4)).isEqualTo(1);
    assertThat(kept(KafkaOptions.CONSUMERS_MAX)).isZero();
  }

  private static int kept(int consumers) {
    ArenaPool spares = new ArenaPool(consumers);
    Set<RecordBatch.Arena> given = new HashSet<>();
    for (int i = 0; i < 40; i++) {
      given.add(new RecordBatch.Arena(10, WHOLE));
    }
    given.forEach(spares::release);
    int kept = 0;
    while (given.contains(spares.take(10, WHOLE))) {
      kept++;
    }
    return kept;
  }
}
