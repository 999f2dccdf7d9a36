package hourglass.query.where.json;

import java.util.Random;

/** Random JSON of few names and values, in any spelling. */
public final class RandomJson {
  public static final String[] NAMES = {
    "a", "b", "name", "é", "x-y", "q\"", "b\\", "ok", "a.b", "b.ok", "a.b.name"
  };
  public static final String[] TEXTS = {
    "", "a", "/api", "/api/v1", "true", "é", "\"q\"", "b\\", "\n", "😀", "ﬀ", "\uFFFD"
  };
  private static final String[] NUMBERS = {
    "0",
    "1",
    "-1",
    "5",
    "500",
    "5e2",
    "1.5",
    "-0",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "1E-3",
    "1e3",
    "1.0",
    "5.0",
    "500.00",
    "-0.0",
    "-1.5",
    "0.1",
    "0.30000000000000004",
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "12.345678901234567",
    "1e400",
    "123456789012345678"
  };

  private final Random random;

  public RandomJson(Random random) {
    this.random = random;
  }

  public String object() {
    return object(0);
  }

  /** Mostly an object, perhaps with space around it. */
  public String payload() {
    return space() + (random.nextInt(12) == 0 ? value(0) : object(0)) + space();
  }

  private String value(int depth) {
    return switch (random.nextInt(depth < 3 ? 8 : 6)) {
      case 0, 1 -> quoted(pick(TEXTS));
      case 2, 3 -> pick(NUMBERS);
      case 4 -> random.nextBoolean() ? "true" : "false";
      case 5 -> "null";
      case 6 -> list(depth + 1);
      default -> object(depth + 1);
    };
  }

  private String list(int depth) {
    StringBuilder json = new StringBuilder("[");
    for (int left = random.nextInt(4); left > 0; left--) {
      json.append(space()).append(value(depth)).append(space()).append(left > 1 ? "," : "");
    }
    return json.append(space()).append(']').toString();
  }

  private String object(int depth) {
    StringBuilder json = new StringBuilder("{");
    for (int left = random.nextInt(20) == 0 ? 30 : random.nextInt(6); left > 0; left--) {
      json.append(space()).append(quoted(pick(NAMES))).append(space()).append(':').append(space());
      json.append(value(depth)).append(space()).append(left > 1 ? "," : "");
    }
    return json.append(space()).append('}').toString();
  }

  /** Now and then with needless escapes. */
  private String quoted(String text) {
    boolean odd = random.nextInt(8) == 0;
    StringBuilder json = new StringBuilder("\"");
    for (char here : text.toCharArray()) {
      if (here < ' ' || (odd && (Character.isSurrogate(here) || random.nextBoolean()))) {
        json.append("\\u%04x".formatted((int) here));
      } else if (here == '"' || here == '\\' || (odd && here == '/')) {
        json.append('\\').append(here);
      } else {
        json.append(here);
      }
    }
    return json.append('"').toString();
  }

  private String space() {
    return random.nextInt(6) == 0 ? " \n\t".substring(random.nextInt(3)) : "";
  }

  private String pick(String[] of) {
    return of[random.nextInt(of.length)];
  }
}
