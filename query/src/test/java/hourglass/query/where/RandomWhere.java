package hourglass.query.where;

import hourglass.query.where.json.RandomJson;
import java.util.Random;

/** Random expressions for {@link RandomJson}. */
final class RandomWhere {
  private static final String[] CONSTANTS = {
    "true",
    "false",
    "null",
    "0",
    "1",
    "5.0",
    "-1",
    "500",
    "1.5",
    "-1.5",
    "0.1",
    "0.0",
    "-0.0",
    "5u",
    "1e3",
    "9007199254740992",
    "9007199254740992.0",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615u"
  };
  private static final String[] COMPARISONS = {"==", "!=", "<", "<=", ">", ">="};

  private static final String[] ORDERS = {"<", "<=", ">", ">="};
  private static final String[] OPERATIONS = {" + ", " - ", " * ", " / "};
  private static final String[] INTS = {"0", "1", "-1", "3", "9223372036854775807"};
  private static final String[] NUMBERS = {
    "0", "1", "-1", "500", "1.5", "-1.5", "0.1", "0.0", "9007199254740993", "9223372036854775807"
  };

  private static final String[] REGEXES = {
    "'^/api'", "'[a-z]$'", "''", "'é|b'", "'a(b|pi)'", "'(?i)AP+I'", "'x?[ab]+/'", "'^\\\\p{L}'"
  };
  private static final String[] TIMES = {
    "'2026-11-20T08:00:00.0000331Z'",
    "'2026-11-20T08:00:00.00003312Z'",
    "'2026-11-20T09:00:00.0000335+01:00'"
  };

  private final Random random;

  RandomWhere(Random random) {
    this.random = random;
  }

  String expression() {
    return expression(0);
  }

  private String expression(int depth) {
    if (depth < 3 && random.nextInt(3) > 0) {
      String first = expression(depth + 1);
      return switch (random.nextInt(5)) {
        case 0, 1 -> "(" + first + " && " + expression(depth + 1) + ")";
        case 2 -> "(" + first + " || " + expression(depth + 1) + ")";
        case 3 -> "!(" + first + ")";
        default ->
            "(" + first + " ? " + expression(depth + 1) + " : " + expression(depth + 1) + ")";
      };
    }
    return leaf();
  }

  private String leaf() {
    String path = path();
    String text = text();
    return switch (random.nextInt(30)) {
      case 0, 1 -> path + " == " + text;
      case 2 -> constant() + " == " + path;
      case 3 -> path + " " + pick(COMPARISONS) + " " + constant();
      case 4 -> path + ".startsWith(" + text + ")";
      case 5 -> path + ".endsWith(" + text + ")";
      case 6 -> path + ".contains(" + text + ")";
      case 7 -> path + " in [" + constant() + ", " + text + "]";
      case 8 -> constant() + " in " + path;
      case 9 -> "has(data." + pick(new String[] {"a", "b.ok", "a.b", "a.b.name"}) + ")";
      case 26 ->
          "has(data."
              + pick(new String[] {"a", "b.ok", "a.b", "a.b.name"})
              + ") "
              + pick(new String[] {"== true", "!= false", "in [true]", "== has(data.a)"});
      case 10 -> path + ".exists(x, x == " + constant() + ")";
      case 11 -> path + ".all(data, data.a == " + text + ")";
      case 12 -> path + (random.nextBoolean() ? " + " + path() : "") + " == " + path();
      case 13 -> "size(" + path + ") > " + random.nextInt(3);
      case 14 -> "type == " + text + " || (" + path + " + 'x').contains(" + text + ")";
      case 15 -> path;
      case 16 -> path + " " + pick(COMPARISONS) + " " + text;
      case 17 -> "has(" + fields() + ")";
      case 18 -> path + ".matches(" + pick(REGEXES) + ")";
      case 19 -> "(" + path + " " + pick(COMPARISONS) + " " + constant() + ") == true";
      case 20 -> ofEvent(text);
      case 21, 22 -> term() + " " + pick(ORDERS) + " " + pick(NUMBERS);
      case 23 -> term() + " " + pick(COMPARISONS) + " " + path;
      case 27 -> path + ".hasWords(" + word() + ")";
      case 28 -> "data.hasWords(" + word() + ")";
      case 29 ->
          "type("
              + path
              + ") "
              + (random.nextBoolean() ? "==" : "!=")
              + " "
              + pick(new String[] {"int", "double", "string", "bool", "null_type", "list", "map"});
      case 24 -> path + " " + pick(COMPARISONS) + " " + pick(CONSTANTS);
      default -> path + " in [" + (random.nextBoolean() ? "" : path() + ", " + constant()) + "]";
    };
  }

  private String term() {
    String path = path();
    return switch (random.nextInt(6)) {
      case 0 -> path + " % " + pick(INTS);
      case 1 -> "double(" + path + ")" + pick(OPERATIONS) + path();
      case 2 -> "(" + path + pick(OPERATIONS) + pick(NUMBERS) + ")" + pick(OPERATIONS) + path();
      case 3 -> path + pick(OPERATIONS) + "(" + pick(NUMBERS) + pick(OPERATIONS) + path() + ")";
      case 4 -> path + " % " + path();
      default -> path + pick(OPERATIONS) + pick(NUMBERS);
    };
  }

  private static final String[] LEVELS = {"'unknown'", "'error'", "'info'", "'x'"};

  private String ofEvent(String text) {
    return switch (random.nextInt(7)) {
      case 5 -> "detected_level " + pick(COMPARISONS) + " " + pick(LEVELS);
      case 6 -> "detected_level in [" + pick(LEVELS) + ", " + text + "]";
      case 0 -> "type " + pick(COMPARISONS) + " " + text;
      case 1 -> "type in [" + text + ", " + text() + "]";
      case 2 -> "time " + pick(COMPARISONS) + " timestamp(" + pick(TIMES) + ")";
      case 3 -> "id.startsWith('0') || type.contains(" + text + ")";
      default -> "timestamp(" + pick(TIMES) + ") " + pick(COMPARISONS) + " time";
    };
  }

  private static final String[] WORDS = {"'a'", "'x y'", "'\"'", "'500'", "'true'", "'É'", "'K'"};

  private String word() {
    return random.nextInt(3) == 0 ? pick(WORDS) : text().equals("''") ? "'b'" : text();
  }

  private String fields() {
    StringBuilder fields = new StringBuilder("data");
    do {
      fields.append('.').append(pick(new String[] {"a", "b", "name", "ok"}));
    } while (random.nextInt(3) == 0);
    return fields.toString();
  }

  private String path() {
    StringBuilder path = new StringBuilder("data");
    do {
      if (random.nextInt(4) == 0) {
        path.append('[').append(literal(RandomJson.NAMES)).append(']');
      } else if (random.nextInt(8) == 0) {
        path.append(pick(new String[] {"[0]", ".`x-y`", ".`a.b`"}));
      } else {
        path.append('.').append(pick(new String[] {"a", "b", "name", "ok"}));
      }
    } while (random.nextInt(3) == 0);
    return path.toString();
  }

  private String constant() {
    return random.nextBoolean() ? text() : pick(CONSTANTS);
  }

  private String text() {
    return literal(RandomJson.TEXTS);
  }

  private String literal(String[] of) {
    String text = pick(of).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return '"' + text + '"';
  }

  private String pick(String[] of) {
    return of[random.nextInt(of.length)];
  }
}
