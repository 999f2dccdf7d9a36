package hourglass.config;

import hourglass.seed.Seed;
import java.util.Random;

/** Chance and length of a test: {@link Seed}. A seed repeats a run as far as timing allows. */
final class RandomRun {
  private RandomRun() {}

  static Random random(Object test) {
    return Seed.random(test);
  }

  static boolean isLong() {
    return Seed.isLong();
  }

  static int length(int normally, int longForm) {
    return Seed.length(normally, longForm);
  }
}
