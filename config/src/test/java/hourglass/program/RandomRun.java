package hourglass.program;

import hourglass.seed.Seed;
import java.util.Random;

/** Chance and length of a test: {@link Seed}. A seed repeats a run as far as timing allows. */
public final class RandomRun {
  private RandomRun() {}

  public static Random random(Object test) {
    return Seed.random(test);
  }

  public static boolean isLong() {
    return Seed.isLong();
  }

  public static int length(int normally, int longForm) {
    return Seed.length(normally, longForm);
  }
}
