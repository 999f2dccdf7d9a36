package hourglass.store.embedded;

import java.security.SecureRandom;
import java.util.Random;

/**
 * Where random tests get their numbers: {@code -Dhourglass.seed=N} repeats a run, {@code
 * -Dhourglass.long=true} makes it longer.
 */
final class Chance {
  private Chance() {}

  /** A source of random numbers whose seed is printed. */
  static Random random(String test) {
    Long given = Long.getLong("hourglass.seed");
    long seed = given != null ? given : new SecureRandom().nextInt(Integer.MAX_VALUE);
    System.out.println(test + ": -Dhourglass.seed=" + seed);
    return new Random(seed);
  }

  static int rounds(int normally, int longForm) {
    return Boolean.getBoolean("hourglass.long") ? longForm : normally;
  }

  static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
