package hourglass.store.testkit;

import hourglass.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * After any operations in any order, the answers equal those of the {@link OracleStore}. The test
 * prints its seed: {@code -Dhourglass.seed=N} repeats a run, {@code -Dhourglass.long=true} makes a
 * long one.
 */
interface ModelContract extends StoreFixture {

  @Test
  default void randomOperationsAgreeWithTheOracle() {
    long seed = Seed.next(getClass().getSimpleName());
    RandomOperations operations = new RandomOperations(this, new Random(seed));
    int steps = Seed.length(600, 20_000);
    for (int step = 0; step < steps; step++) {
      String operation = operations.choose();
      try {
        operations.run(operation);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dhourglass.seed=" + seed + ", step " + step + ", " + operation + ": " + e, e);
      }
    }
  }
}
