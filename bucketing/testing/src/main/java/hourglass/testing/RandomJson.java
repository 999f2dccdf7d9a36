package hourglass.testing;

import java.util.Random;

/** Makes random JSON with all kinds of values, escapes and white space. */
public final class RandomJson {
  private static final String[] SCALARS = {
    "0", "-1", "1.5", "1e9", "-0.25E-3", "true", "false", "null", "1234567890123456789012"
  };
  private static final String[] TEXTS = {
    "a",
    "key",
    "\\n",
    "\\u00e9",
    "é",
    "€",
    "😀",
    "\\\"",
    "\\\\",
    "/",
    " ",
    "{",
    "]",
    ",",
    "abcdefghijk"
  };

  private RandomJson() {}

  public static String value(Random random, int depth) {
    return switch (depth == 0 ? random.nextInt(2) : random.nextInt(4)) {
      case 0 -> SCALARS[random.nextInt(SCALARS.length)];
      case 1 -> string(random);
      case 2 -> object(random, depth);
      default -> array(random, depth);
    };
  }

  public static String string(Random random) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(TEXTS[random.nextInt(TEXTS.length)]);
    }
    return text.append('"').toString();
  }

  public static String object(Random random, int depth) {
    StringBuilder text = new StringBuilder("{").append(space(random));
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(string(random)).append(space(random)).append(':').append(space(random));
      text.append(value(random, depth - 1)).append(i > 1 ? "," : "").append(space(random));
    }
    return text.append('}').toString();
  }

  private static String array(Random random, int depth) {
    StringBuilder text = new StringBuilder("[").append(space(random));
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(value(random, depth - 1)).append(space(random)).append(i > 1 ? "," : "");
    }
    return text.append(']').toString();
  }

  private static String space(Random random) {
    return " \t\n\r ".substring(0, random.nextInt(4) == 0 ? random.nextInt(6) : 0);
  }
}
