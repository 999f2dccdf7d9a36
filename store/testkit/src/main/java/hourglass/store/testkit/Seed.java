package hourglass.store.testkit;

import java.security.SecureRandom;
import java.util.Random;

/**
 * Where random tests get their numbers: {@code -Dhourglass.seed=N} repeats a run, {@code
 * -Dhourglass.long=true} makes it longer.
 */
final class Seed {
  private Seed() {}

  /** The seed of this run; printed, so that any run can be repeated. */
  static long next(String test) {
    Long given = Long.getLong("hourglass.seed");
    long seed = given != null ? given : new SecureRandom().nextInt(Integer.MAX_VALUE);
    System.out.println(test + ": -Dhourglass.seed=" + seed);
    return seed;
  }

  static Random random(String test) {
    return new Random(next(test));
  }

  static int steps(int normally, int longForm) {
    return Boolean.getBoolean("hourglass.long") ? longForm : normally;
  }
}
