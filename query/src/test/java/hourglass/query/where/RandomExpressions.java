package hourglass.query.where;

import hourglass.query.where.json.RandomJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random expressions of every kind of value and every function, for payloads of {@link RandomJson}.
 */
final class RandomExpressions {
  private static final int DEPTH_MAX = 4;

  private static final String[] CONSTANTS = {
    "true",
    "false",
    "null",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "500",
    "1.5",
    "-1.5",
    "0.0",
    "-0.0",
    "1e300",
    "5u",
    "0u",
    "18446744073709551615u",
    "9223372036854775807",
    "-9223372036854775808",
    "9007199254740993",
    "9007199254740992.0",
    "''",
    "'a'",
    "'b'",
    "'x y'",
    "'500'",
    "'5'",
    "'1.5'",
    "'true'",
    "'f'",
    "'é'",
    "'😀'",
    "'ok'",
    "'name'",
    "'a.b'",
    "b'a'",
    "b'\\xff'",
    "b'\\x00\\x80'",
    "'2026-11-20T08:00:00Z'",
    "'1h30m'",
    "'^[a-z]+$'",
    "'('",
    "int",
    "string",
    "map",
    "list",
    "type"
  };
  private static final String[] TIMES = {
    "timestamp('2026-11-20T08:00:00.0000331Z')",
    "timestamp('0001-01-01T00:00:00Z')",
    "timestamp('9999-12-31T23:59:59.999Z')",
    "timestamp('2024-02-29T23:30:15.123456789-07:00')",
    "time",
    "duration('1s')",
    "duration('1h30m')",
    "duration('-5m')",
    "duration('1.5s')",
    "duration('0')",
    "duration('100ms')",
    "duration('1us7ns')",
    "duration('2562047h')",
    "duration('87660000h')"
  };
  private static final String[] ZONES = {
    "'UTC'", "'Europe/Berlin'", "'+02:00'", "'-9:30'", "'9:5'", "'x'", "'1:x'"
  };
  private static final String[] TIME_PARTS = {
    "getFullYear",
    "getMonth",
    "getDayOfYear",
    "getDayOfMonth",
    "getDate",
    "getDayOfWeek",
    "getHours",
    "getMinutes",
    "getSeconds",
    "getMilliseconds"
  };
  private static final String[] CONVERSIONS = {
    "int",
    "uint",
    "double",
    "string",
    "bool",
    "bytes",
    "timestamp",
    "duration",
    "dyn",
    "type",
    "size"
  };
  private static final String[] COMPARISONS = {"==", "!=", "<", "<=", ">", ">="};
  private static final String[] OPERATIONS = {"+", "-", "*", "/", "%"};
  private static final String[] TEXT_FUNCTIONS = {
    "startsWith", "endsWith", "contains", "matches", "hasWords"
  };
  private static final String[] NAMES = {"a", "b", "name", "ok"};

  private final Random random;

  RandomExpressions(Random random) {
    this.random = random;
  }

  /** An expression of any type; the checker refuses some. */
  String expression() {
    return "dyn(" + any(0, List.of()) + ")";
  }

  private String any(int depth, List<String> variables) {
    if (depth >= DEPTH_MAX || random.nextInt(5) == 0) {
      return leaf(variables);
    }
    int d = depth + 1;
    String a = any(d, variables);
    String b = any(d, variables);
    return switch (random.nextInt(22)) {
      case 0 -> "(" + truth(a) + " && " + truth(b) + ")";
      case 1 -> "(" + truth(a) + " || " + truth(b) + ")";
      case 2 -> "!" + dyn(a);
      case 3 -> "(" + truth(a) + " ? " + dyn(b) + " : " + dyn(any(d, variables)) + ")";
      case 4, 5, 6 -> "(" + dyn(a) + " " + pick(COMPARISONS) + " " + dyn(b) + ")";
      case 7, 8 -> "(" + dyn(a) + " " + pick(OPERATIONS) + " " + dyn(b) + ")";
      case 9 -> "-" + dyn(a);
      case 10, 11 -> pick(CONVERSIONS) + "(" + dyn(a) + ")";
      case 12 -> dyn(a) + "." + pick(TEXT_FUNCTIONS) + "(" + dyn(b) + ")";
      case 13 -> dyn(pick(TIMES)) + "." + pick(TIME_PARTS) + "()";
      case 14 -> pick(TIMES) + " - " + pick(TIMES);
      case 15 ->
          dyn(random.nextBoolean() ? a : "time") + "." + pick(TIME_PARTS) + "(" + pick(ZONES) + ")";
      case 16, 17 -> macro(d, variables);
      case 18 ->
          random.nextBoolean() ? "[" + dyn(a) + ", " + b + "]" : "{" + dyn(a) + ": " + dyn(b) + "}";
      case 19 -> dyn(a) + "[" + dyn(b) + "]";
      case 20 -> dyn(a) + " in " + dyn(b);
      default -> "has(" + object(variables) + "." + pick(NAMES) + ")";
    };
  }

  private String macro(int depth, List<String> variables) {
    String variable = pick(new String[] {"x", "y", "data"});
    List<String> inside = new ArrayList<>(variables);
    inside.add(variable);
    String range = dyn(random.nextInt(3) == 0 ? any(depth, variables) : object(variables));
    String body = any(depth, inside);
    return switch (random.nextInt(6)) {
      case 0 -> range + ".all(" + variable + ", " + truth(body) + ")";
      case 1 -> range + ".exists(" + variable + ", " + truth(body) + ")";
      case 2 -> range + ".exists_one(" + variable + ", " + truth(body) + ")";
      case 3 -> range + ".filter(" + variable + ", " + truth(body) + ")";
      case 4 -> range + ".map(" + variable + ", " + body + ")";
      default -> range + ".map(" + variable + ", " + truth(body) + ", " + any(depth, inside) + ")";
    };
  }

  private String leaf(List<String> variables) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> "dyn(" + pick(CONSTANTS) + ")";
      case 3 -> pick(TIMES);
      case 4 -> pick(new String[] {"type", "id", "detected_level", "time"});
      default -> object(variables);
    };
  }

  /** A path into the payload, or into a variable. */
  private String object(List<String> variables) {
    boolean isVariable = !variables.isEmpty() && random.nextBoolean();
    StringBuilder path =
        new StringBuilder(isVariable ? variables.get(random.nextInt(variables.size())) : "data");
    while (random.nextInt(isVariable ? 3 : 5) > (isVariable ? 1 : 0)) {
      switch (random.nextInt(8)) {
        case 0 -> path.append("[0]");
        case 1 ->
            path.append("['").append(pick(new String[] {"a", "b", "a.b", "x-y"})).append("']");
        default -> path.append('.').append(pick(NAMES));
      }
      if (random.nextBoolean()) {
        break;
      }
    }
    return path.toString();
  }

  private static String dyn(String expression) {
    return "dyn(" + expression + ")";
  }

  /** Mostly a truth value. */
  private String truth(String expression) {
    return random.nextInt(3) == 0
        ? dyn(expression)
        : "(" + dyn(expression) + " " + pick(COMPARISONS) + " dyn(" + pick(CONSTANTS) + "))";
  }

  private String pick(String[] of) {
    return of[random.nextInt(of.length)];
  }
}
