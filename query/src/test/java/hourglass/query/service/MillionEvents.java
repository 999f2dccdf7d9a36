package hourglass.query.service;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Chunk;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** An hour of a million events of about 170 bytes in six rows, the same each time. */
public final class MillionEvents {
  public static final int EVENTS = 1_000_000;
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final String[] TYPES = {"checkout", "error", "login", "search", "ship", "view"};

  private MillionEvents() {}

  public static void write(WideColumnStore store) {
    Random random = new Random(1);
    List<ColumnsBuilder> rows = new ArrayList<>();
    for (int i = 0; i < TYPES.length; i++) {
      rows.add(new ColumnsBuilder(EVENTS / TYPES.length, 0));
    }
    for (int i = 0; i < EVENTS; i++) {
      long ticks = HOUR.startTicks() + i * (Ticks.PER_HOUR / EVENTS) + random.nextInt(1000);
      byte[] payload = payload(random).getBytes(StandardCharsets.UTF_8);
      // Each type has about half as many events as the one before.
      int type = Math.min(TYPES.length - 1, Integer.numberOfTrailingZeros(random.nextInt()));
      TimeUuid name = new TimeUuid(ticks, random.nextLong());
      rows.get(type).add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    for (int i = 0; i < TYPES.length; i++) {
      store.write(List.of(new Mutation(new RowKey(HOUR, TYPES[i], 0), rows.get(i).build())));
    }
  }

  /** Returns the bytes of a whole answer, read chunk by chunk. */
  static long read(EventStream stream, Chunk chunk) {
    AtomicLong bytes = new AtomicLong();
    chunk.clear();
    stream.write(Answer.output(chunk, full -> bytes.addAndGet(full.length())), Answer.thread());
    return bytes.get() + chunk.length();
  }

  private static String payload(Random random) {
    return ("{\"path\":\"/api/v1/items/%d\",\"status\":%d,\"ms\":%d,\"user\":\"u%08d\","
            + "\"host\":\"web-%02d.example.org\",\"agent\":\"Mozilla/5.0\",\"bytes\":%d,"
            + "\"ok\":%b,\"trace\":\"%016x\"}")
        .formatted(
            random.nextInt(10_000),
            200 + random.nextInt(300),
            random.nextInt(1000),
            random.nextInt(100_000_000),
            random.nextInt(100),
            random.nextInt(1 << 20),
            random.nextBoolean(),
            random.nextLong());
  }
}
