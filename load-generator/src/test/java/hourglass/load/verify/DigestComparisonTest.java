package hourglass.load.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares digests with counts in maps. */
final class DigestComparisonTest {
  private static final int PAYLOADS = 3;

  @Test
  void agreesWithCounting() {
    for (long seed = 1; seed <= 300; seed++) {
      compare(seed);
    }
  }

  private static void compare(long seed) {
    Random random = new Random(seed);
    DigestTable[] tables = {new DigestTable(999), new DigestTable(999), new DigestTable(999)};
    Map<Long, int[]> counts = new HashMap<>();
    for (int i = 0; i < random.nextInt(60); i++) {
      long key = 2L * random.nextInt(6);
      int payload = random.nextInt(PAYLOADS);
      int table = random.nextInt(3);
      tables[table].add(key, payload);
      counts.computeIfAbsent(key, any -> new int[3 * PAYLOADS])[3 * payload + table]++;
    }
    for (DigestTable table : tables) {
      table.sort();
    }
    Faults faults = new Faults();
    DigestComparison comparison = new DigestComparison(tables[0], tables[1], tables[2], faults);
    long lost = 0;
    long altered = 0;
    long doubled = 0;
    long foreign = 0;
    for (int[] count : counts.values()) {
      int missing = 0;
      int strange = 0;
      for (int payload = 0; payload < PAYLOADS; payload++) {
        int stored = count[3 * payload];
        int unsure = count[3 * payload + 1];
        int got = count[3 * payload + 2];
        missing += Math.max(0, stored - got);
        strange += stored + unsure == 0 ? got : 0;
        doubled += stored + unsure == 0 ? 0 : Math.max(0, got - stored - unsure);
      }
      altered += Math.min(missing, strange);
      lost += missing - Math.min(missing, strange);
      foreign += strange - Math.min(missing, strange);
    }
    assertThat(faults.count(Faults.Kind.LOST)).as("seed %d", seed).isEqualTo(lost);
    assertThat(faults.count(Faults.Kind.ALTERED)).as("seed %d", seed).isEqualTo(altered);
    assertThat(faults.count(Faults.Kind.DOUBLED)).as("seed %d", seed).isEqualTo(doubled);
    assertThat(comparison.foreign).as("seed %d", seed).isEqualTo(foreign);
    assertThat(comparison.expected).as("seed %d", seed).isEqualTo(tables[0].size());
  }
}
