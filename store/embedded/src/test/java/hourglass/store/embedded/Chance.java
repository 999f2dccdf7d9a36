package hourglass.store.embedded;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Random;

/** Where random tests of the engine get their numbers: {@link Seed}. */
public final class Chance {
  private Chance() {}

  /** A source of random numbers whose seed is printed. */
  public static Random random(String test) {
    return Seed.random(test);
  }

  static int rounds(int normally, int longForm) {
    return Tier.length(normally, normally, longForm);
  }

  static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
