package hourglass.query;

import java.security.SecureRandom;
import java.util.Random;

/** Random numbers of a test: {@code -Dhourglass.seed=N} repeats a run. */
public final class Seed {
  private Seed() {}

  public static Random random(Object test) {
    Long given = Long.getLong("hourglass.seed");
    long seed = given != null ? given : new SecureRandom().nextInt(Integer.MAX_VALUE);
    System.out.println(test.getClass().getSimpleName() + ": -Dhourglass.seed=" + seed);
    return new Random(seed);
  }
}
