package hourglass.store.pages;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Web requests as compact JSON of about 170 B, eight fields, six types, one hour. */
final class GeneratedEvents {
  private static final String[] TYPES = {
    "page_view", "search", "checkout", "login", "payment", "signup"
  };
  private static final String[] AREAS = {"products", "carts", "orders", "users", "reviews"};
  private static final String[] PARTS = {"sizes", "prices", "detail", "stock", "related"};
  private static final int[] STATUS = {200, 200, 200, 200, 200, 200, 200, 304, 201, 404, 500};

  private GeneratedEvents() {}

  /**
   * @param count events in the hour
   * @param ids how many different numbers paths end in
   */
  static Stream<String> lines(int count, int ids, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long hour = Hour.parse("2026-11-20T08").startTicks();
    long gap = Ticks.PER_HOUR / count;
    long[] ticks = {hour};
    return Stream.generate(
            () -> {
              ticks[0] += random.nextLong(2 * gap);
              return line(ticks[0], ids, random);
            })
        .limit(count);
  }

  private static String line(long ticks, int ids, SplittableRandom random) {
    int status = STATUS[random.nextInt(STATUS.length)];
    String level = status >= 500 ? "error" : status >= 400 ? "warn" : "info";
    double ms = Math.round(120 * Math.exp(random.nextGaussian() * 0.8)) / 10.0;
    int type = (int) (TYPES.length * Math.pow(random.nextDouble(), 2));
    int host = random.nextInt(40);
    return ("{\"type\":\"%s\",\"time\":\"%sZ\",\"level\":\"%s\",\"host\":\"web-%02d.eu%d.local\","
            + "\"path\":\"/api/%s/%s/%d\",\"status\":%d,\"ms\":%s,\"trace\":\"%08x\"}")
        .formatted(
            TYPES[type],
            Ticks.text(ticks).substring(0, 26),
            level,
            host,
            1 + host % 3,
            AREAS[random.nextInt(AREAS.length)],
            PARTS[random.nextInt(PARTS.length)],
            10 + random.nextInt(ids) * 37 % 990,
            status,
            ms,
            random.nextInt());
  }
}
