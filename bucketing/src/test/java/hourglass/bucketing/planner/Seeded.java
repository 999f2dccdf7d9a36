package hourglass.bucketing.planner;

import java.security.SecureRandom;
import java.util.Random;

/** Random numbers for a test; {@code -Dhourglass.seed=N} repeats a run. */
final class Seeded {
  private Seeded() {}

  static Random random(String test) {
    Long given = Long.getLong("hourglass.seed");
    long seed = given != null ? given : new SecureRandom().nextInt(Integer.MAX_VALUE);
    System.out.println(test + ": -Dhourglass.seed=" + seed);
    return new Random(seed);
  }
}
