package hourglass.query.where;

import java.util.Random;

/** Random expressions over what {@link RandomJson} makes. */
final class RandomWhere {
  private static final String[] CONSTANTS = {
    "true", "false", "null", "0", "1", "5.0", "-1", "500", "1.5", "9223372036854775807"
  };
  private static final String[] COMPARISONS = {"==", "!=", "<", "<=", ">", ">="};

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
    return switch (random.nextInt(16)) {
      case 0, 1 -> path + " == " + text;
      case 2 -> constant() + " == " + path;
      case 3 -> path + " " + pick(COMPARISONS) + " " + constant();
      case 4 -> path + ".startsWith(" + text + ")";
      case 5 -> path + ".endsWith(" + text + ")";
      case 6 -> path + ".contains(" + text + ")";
      case 7 -> path + " in [" + constant() + ", " + text + "]";
      case 8 -> constant() + " in " + path;
      case 9 -> "has(data." + (random.nextBoolean() ? "a" : "b.ok") + ")";
      case 10 -> path + ".exists(x, x == " + constant() + ")";
      case 11 -> path + ".all(data, data.a == " + text + ")";
      case 12 -> path + " == " + path();
      case 13 -> "size(" + path + ") > " + random.nextInt(3);
      case 14 -> "type == " + text + " || (" + path + " + 'x').contains(" + text + ")";
      default -> path;
    };
  }

  private String path() {
    StringBuilder path = new StringBuilder("data");
    do {
      if (random.nextInt(4) == 0) {
        path.append('[').append(literal(RandomJson.NAMES)).append(']');
      } else if (random.nextInt(8) == 0) {
        path.append("[0]");
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
