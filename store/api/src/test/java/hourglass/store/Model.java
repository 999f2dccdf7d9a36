package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Columns as a sorted map; payloads have a character per byte, and so compare as unsigned bytes.
 */
final class Model {
  static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final long[] LSBS = {0x8080808080808080L, Long.MIN_VALUE, -1, 0, Long.MAX_VALUE};

  final TreeMap<TimeUuid, String> columns = new TreeMap<>();

  static Model of(Columns pack) {
    Model model = new Model();
    for (int i = 0; i < pack.size(); i++) {
      model.columns.put(pack.id(i), text(pack.payload(i)));
    }
    return model;
  }

  public void add(TimeUuid name, String payload) {
    columns.merge(name, payload, (a, b) -> a.compareTo(b) >= 0 ? a : b);
  }

  void addAll(Model other) {
    other.columns.forEach(this::add);
  }

  static List<Map.Entry<TimeUuid, String>> randomColumns(Random random, int count, int names) {
    List<Map.Entry<TimeUuid, String>> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(Map.entry(randomName(random, names), randomPayload(random)));
    }
    return columns;
  }

  /** A random name out of so many, five per tick. */
  static TimeUuid randomName(Random random, int names) {
    return name(random.nextInt(names));
  }

  static TimeUuid name(int number) {
    return new TimeUuid(HOUR.startTicks() + number / LSBS.length, LSBS[number % LSBS.length]);
  }

  private static String randomPayload(Random random) {
    StringBuilder payload = new StringBuilder();
    for (int length = random.nextInt(6) * random.nextInt(6); length > 0; length--) {
      payload.append((char) (random.nextBoolean() ? 'a' : random.nextInt(256)));
    }
    return payload.toString();
  }

  static Columns build(List<Map.Entry<TimeUuid, String>> columns) {
    ColumnsBuilder builder = new ColumnsBuilder(0, 0);
    columns.forEach(column -> addTo(builder, column.getKey(), column.getValue()));
    return builder.build();
  }

  Columns build() {
    return build(List.copyOf(columns.entrySet()));
  }

  static void addTo(ColumnsBuilder builder, TimeUuid name, String payload) {
    byte[] around = ("<<" + payload + ">").getBytes(StandardCharsets.ISO_8859_1);
    builder.add(name.ticks(), name.lsb(), around, 2, around.length - 1);
  }

  static String text(byte[] payload) {
    return new String(payload, StandardCharsets.ISO_8859_1);
  }

  void assertIs(Columns pack) {
    assertEquals(columns.size(), pack.size());
    assertEquals(columns.isEmpty(), pack.isEmpty());
    assertEquals(columns, of(pack).columns);
    assertThat(of(pack).columns.keySet()).containsExactlyElementsOf(names(pack));
    assertEquals(
        columns.values().stream().mapToInt(String::length).sum(), pack.payloadBytes(), "bytes");
    if (!columns.isEmpty()) {
      assertEquals(columns.firstKey(), pack.first());
      assertEquals(columns.lastKey(), pack.last());
    }
  }

  static List<TimeUuid> names(Columns pack) {
    List<TimeUuid> names = new ArrayList<>();
    for (int i = 0; i < pack.size(); i++) {
      names.add(pack.id(i));
    }
    return names;
  }
}
