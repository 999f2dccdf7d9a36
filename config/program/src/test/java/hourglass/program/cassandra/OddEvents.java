package hourglass.program.cassandra;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Bodies of events of three hours and four types, with names that are given: by an id, or by their
 * place in a request with a key. Many share a tick or a minute, so that a large body has many of
 * them for one row. Some have an id and time that came before with another payload, in a body with
 * other events. The payloads are such as people send only now and then.
 */
final class OddEvents {
  private static final long FROM_MILLIS = 1_795_161_600_000L;
  private static final int HOURS_MILLIS = 3 * 3_600_000;

  /** Few enough that many events share one. */
  private static final int TICKS = 400;

  private static final int IDS = 600;
  private static final int EVENTS_MAX = 120;

  /** Largest number of events in a large body; Cassandra stores its events as packs. */
  private static final int MANY_EVENTS_MAX = 900;

  /** Ticks of a busy minute, 20 ms apart. */
  private static final int BUSY_TICKS = 1_000;

  private static final String[] TYPES = {"a", "a", "a", "a", "b.c", "b.c", "ü|%", "rare"};
  private static final String[] SPACES = {"", "", "", " ", "\t", "\n  ", "\r\n"};
  private static final String[] TEXTS = {
    "",
    "the quick brown fox",
    "the quick brown fox, \\\"quoted\\\"; and a line\\nbreak",
    "\\u0000\\u00e9 \\ud83d\\ude00 \\\\",
    "é 漢字 😀",
    "=1+1",
    "fox ".repeat(5000),
  };
  private static final String[] VALUES = {
    "0",
    "-0.0",
    "1e400",
    "0.1000",
    "123456789012345678901234567890",
    "true",
    "null",
    "[]",
    "{}",
    "[[[1,2],{\"x\":[]}]]",
  };

  private final Random random;

  OddEvents(Random random) {
    this.random = random;
  }

  /** A JSON array of one or more events. */
  String body() {
    List<String> events = new ArrayList<>();
    int count = 1 + random.nextInt(random.nextInt(5) == 0 ? MANY_EVENTS_MAX : EVENTS_MAX);
    for (int i = 0; i < count; i++) {
      events.add(event());
    }
    return "[" + String.join("," + one(SPACES), events) + "]";
  }

  private String event() {
    int id = random.nextInt(IDS);
    // Type and time follow from the id: it is one event, however often and in any form.
    boolean isNamed = random.nextInt(4) > 0;
    Random chosen = isNamed ? new Random(id) : random;
    String type = TYPES[chosen.nextInt(TYPES.length)];
    long millis = FROM_MILLIS + millis(chosen);
    List<String> fields = new ArrayList<>();
    fields.add(field("type", '"' + type + '"'));
    fields.add(field("time", Long.toString(millis)));
    if (isNamed) {
      fields.add(field("id", "\"" + id + "\""));
    }
    fields.add(field("n", one(VALUES)));
    if (random.nextBoolean()) {
      fields.add(random.nextInt(fields.size() + 1), field("text", '"' + one(TEXTS) + '"'));
    }
    if (random.nextInt(10) == 0) {
      fields.add(field("n", one(VALUES)));
    }
    return "{" + one(SPACES) + String.join("," + one(SPACES), fields) + one(SPACES) + "}";
  }

  private static long millis(Random chosen) {
    return chosen.nextInt(3) == 0
        ? (long) chosen.nextInt(TICKS) * (HOURS_MILLIS / TICKS)
        : HOURS_MILLIS / 2 + 20L * chosen.nextInt(BUSY_TICKS);
  }

  private String field(String name, String value) {
    return "\"" + name + "\"" + one(SPACES) + ":" + one(SPACES) + value;
  }

  private String one(String[] some) {
    return some[random.nextInt(some.length)];
  }
}
