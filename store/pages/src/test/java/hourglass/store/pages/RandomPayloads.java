package hourglass.store.pages;

import hourglass.bucketing.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Payloads: JSON objects of random shapes, what looks like it, and garbage. */
final class RandomPayloads {
  private static final String[] SPACES = {"", "", "", " ", "\n  ", "\t"};
  private static final String[] WORDS = {
    "info", "warn", "täglich", "a\\\"b", "\\\\", "", "x\u0000y", "{", "}", "[1,2", "\\u00e9", "日本"
  };

  private final SplittableRandom random;
  private final int garbagePercent;

  private final List<List<Field>> shapes = new ArrayList<>();

  private record Field(String key, int kind, String spaces) {}

  RandomPayloads(SplittableRandom random) {
    this.random = random;
    int kind = random.nextInt(4);
    garbagePercent = kind == 0 ? 100 : kind == 1 ? 10 : 0;
    int shapeCount = 1 + random.nextInt(1 << random.nextInt(8));
    for (int i = 0; i < shapeCount; i++) {
      shapes.add(shape(random.nextInt(12)));
    }
  }

  private List<Field> shape(int fields) {
    List<Field> shape = new ArrayList<>();
    for (int i = 0; i < fields; i++) {
      String key = random.nextInt(20) == 0 ? "a\\\"" : "k" + random.nextInt(30);
      shape.add(new Field(key, random.nextInt(20), SPACES[random.nextInt(SPACES.length)]));
    }
    return shape;
  }

  byte[] next(int position, long ticks) {
    if (random.nextInt(100) < garbagePercent) {
      return garbage();
    }
    List<Field> shape = shapes.get(random.nextInt(shapes.size()));
    byte[] json = json(shape, position, ticks).getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(200) == 0 && json.length > 0) {
      json[random.nextInt(json.length)] = (byte) random.nextInt();
    }
    return json;
  }

  private byte[] garbage() {
    byte[] bytes = new byte[random.nextInt(1 << random.nextInt(9))];
    random.nextBytes(bytes);
    if (bytes.length > 0 && random.nextBoolean()) {
      bytes[0] = '{';
    }
    return bytes;
  }

  private String json(List<Field> shape, int position, long ticks) {
    StringBuilder text = new StringBuilder("{");
    for (Field field : shape) {
      text.append(text.length() == 1 ? "" : ",").append(field.spaces).append('"');
      text.append(field.key).append("\":").append(field.spaces);
      text.append(value(field.kind, position, ticks));
    }
    return text.append("}").toString();
  }

  private String value(int kind, int position, long ticks) {
    return switch (kind) {
      case 0 -> '"' + Ticks.text(ticks) + '"';
      case 1 -> '"' + Ticks.text(ticks).substring(0, 26) + "Z\"";
      case 2 -> '"' + Ticks.text(ticks).substring(0, 19) + (random.nextInt(90) == 0 ? "+" : "Z\"");
      case 3 -> '"' + Ticks.text(ticks + random.nextInt(1 << 30)) + "\"";
      case 4 -> Long.toString((ticks - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI);
      case 5 -> Long.toString((ticks - Ticks.UNIX_EPOCH) / 10 + random.nextInt(3));
      case 6 -> Integer.toString(random.nextInt());
      case 7 -> Long.toString(random.nextLong());
      case 8 -> Double.toString(random.nextInt(100_000) / 100.0);
      case 9 -> "%d.%03d".formatted(random.nextInt(100), random.nextInt(1000));
      case 10 -> "\"%08x\"".formatted(random.nextInt());
      case 11 -> '"' + new UUID(random.nextLong(), random.nextLong()).toString() + '"';
      case 12 -> "\"/api/" + WORDS[random.nextInt(2)] + '/' + random.nextInt(2000) + '"';
      case 13 -> '"' + WORDS[random.nextInt(WORDS.length)] + '"';
      case 14 -> Collections.nCopies(random.nextInt(4), position % 7).toString();
      case 15 -> "{\"a\": " + random.nextInt(5) + ",\"b\":{\"c\":\"" + position + "\"}}";
      case 16 -> random.nextInt(3) == 0 ? "null" : "true";
      case 17 -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
      case 18 -> random.nextInt(50) == 0 ? "-0" : "00" + random.nextInt(10);
      default -> Integer.toString(position);
    };
  }
}
