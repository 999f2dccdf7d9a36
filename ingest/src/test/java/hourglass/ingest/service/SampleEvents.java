package hourglass.ingest.service;

import hourglass.bucketing.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/** Events as a web site logs them: 8 fields, 6 types, about 170 bytes, in order of time. */
public final class SampleEvents {
  private static final String[] TYPES = {"view", "search", "cart", "login", "checkout", "signup"};
  private static final String[] LEVELS = {"info", "info", "info", "debug", "warn", "error"};
  private static final String[] PATHS = {"carts/sizes", "carts/prices", "items/stock", "search"};

  private final Random random;
  private long ticks;

  public SampleEvents(long seed, long startTicks) {
    random = new Random(seed);
    ticks = startTicks;
  }

  public byte[] ndjson(int events) {
    StringBuilder text = new StringBuilder(events * 175);
    for (int i = 0; i < events; i++) {
      next(text);
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void next(StringBuilder text) {
    ticks += 10L * random.nextInt(7200);
    text.append("{\"type\":\"")
        .append(TYPES[Math.min(random.nextInt(6), random.nextInt(6))])
        .append("\",\"time\":\"")
        .append(Ticks.text(ticks), 0, 26)
        .append("Z\",\"level\":\"")
        .append(LEVELS[random.nextInt(6)])
        .append("\",\"host\":\"web-")
        .append(10 + random.nextInt(40))
        .append(".eu3.local\",\"path\":\"/api/")
        .append(PATHS[random.nextInt(4)])
        .append('/')
        .append(random.nextInt(1000))
        .append("\",\"status\":200,\"ms\":")
        .append(String.format(Locale.ROOT, "%.1f", random.nextDouble() * 50))
        .append(",\"trace\":\"")
        .append(String.format("%08x", random.nextInt()))
        .append("\"}");
  }
}
