package hourglass.store.testkit;

import hourglass.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens in whatever order, the answers are those of the {@link OracleStore}. The seed is
 * printed: {@code -Dhourglass.seed=N} repeats a run, {@code -Dhourglass.long=true} makes a long
 * one.
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
