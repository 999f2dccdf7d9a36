package hourglass.query.where;

import hourglass.bucketing.Ticks;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Columns of JSON texts, with other bytes around each. */
public final class Payloads {
  static final Instant TIME = Instant.parse("2026-11-20T08:00:00.0000331Z");

  private Payloads() {}

  public static Columns of(List<String> texts) {
    ColumnsBuilder columns = new ColumnsBuilder(texts.size(), 1024);
    long ticks = Ticks.of(TIME);
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      columns.add(ticks++, 0, bytes, 0, bytes.length);
    }
    return columns.build();
  }

  public static boolean matches(String where, String payload) {
    Columns columns = of(List.of("{\"before\":1}", payload, "{\"after\":1}"));
    return Where.compile(where).matches(columns, 1, "checkout", () -> false);
  }
}
