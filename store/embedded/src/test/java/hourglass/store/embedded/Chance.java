package hourglass.store.embedded;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Random;

/** The source of random numbers in tests of the engine: {@link Seed}. */
public final class Chance {
  private Chance() {}

  /** A source of random numbers whose seed is printed. */
  public static Random random(String test) {
    return Seed.random(test);
  }

  /** Returns the number of rounds in the tier of this run: {@link Tier#length}. */
  public static int rounds(int first, int full, int longest) {
    return Tier.length(first, full, longest);
  }

  static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
