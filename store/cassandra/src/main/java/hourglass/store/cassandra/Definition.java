package hourglass.store.cassandra;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The columns and options of a table or type, from its CREATE statement or from the server.
 *
 * @param columns the type of each name and its role in the key: {@code int, partition key 0}
 * @param options the options that are compared; empty for a type
 */
record Definition(String name, Map<String, String> columns, Map<String, String> options) {
  static final String COMPACTION = "compaction.";
  static final String TTL = "default_time_to_live";
  static final String COMMENT = "comment";

  private static final String STATIC = " static";

  private static final Pattern CREATE =
      Pattern.compile(
          "CREATE (?:TABLE|TYPE) IF NOT EXISTS \\w+\\.(\\w+)\\s*\\((.*)\\)(.*)", Pattern.DOTALL);
  private static final Pattern BODY_END = Pattern.compile("\\)\\s*(?:WITH|$)");

  /** A column on a line of its own. The key is in upper case, and so is not a column. */
  private static final Pattern COLUMN =
      Pattern.compile("^\\s*(\\w+)\\s+([a-z].*?),?\\s*$", Pattern.MULTILINE);

  private static final Pattern KEY =
      Pattern.compile("PRIMARY KEY\\s*\\(\\(([^)]*)\\)((?:,\\s*\\w+)*)\\s*\\)");
  private static final Pattern ORDER = Pattern.compile("(\\w+) (ASC|DESC)");
  private static final Pattern MAP = Pattern.compile("compaction = \\{([^}]*)}");
  private static final Pattern ENTRY = Pattern.compile("'([^']*)'\\s*:\\s*'([^']*)'");
  private static final Pattern SECONDS = Pattern.compile(TTL + " = (\\d+)");
  private static final Pattern TEXT = Pattern.compile(COMMENT + " = '([^']*)'");

  /** Parses one of this engine's own statements, which share one order and spelling. */
  static Definition parse(String create) {
    Matcher end = BODY_END.matcher(create);
    Matcher whole = CREATE.matcher(create);
    if (!whole.matches() || !end.find()) {
      throw new IllegalArgumentException("BUG: not one of our CREATE statements: " + create);
    }
    String body = create.substring(whole.start(2), end.start());
    String tail = create.substring(end.start());
    Map<String, String> types = new LinkedHashMap<>();
    Map<String, String> keyParts = keyParts(body, tail);
    Matcher column = COLUMN.matcher(body);
    while (column.find()) {
      String name = column.group(1);
      String type = column.group(2);
      String role = keyParts.getOrDefault(name, "");
      if (type.endsWith(STATIC)) {
        type = type.substring(0, type.length() - STATIC.length());
        role = keyPart("static", -1, "none");
      }
      types.put(name, type.replaceAll("\\s+", "") + role);
    }
    return new Definition(whole.group(1), types, options(tail));
  }

  private static Map<String, String> keyParts(String body, String tail) {
    Map<String, String> parts = new TreeMap<>();
    Matcher key = KEY.matcher(body);
    if (key.find()) {
      String[] partition = key.group(1).split(",", -1);
      for (int i = 0; i < partition.length; i++) {
        parts.put(partition[i].strip(), keyPart("partition_key", i, "none"));
      }
      Map<String, String> orders = new TreeMap<>();
      Matcher order = ORDER.matcher(tail);
      while (order.find()) {
        orders.put(order.group(1), order.group(2));
      }
      String[] clustering = key.group(2).split(",", -1);
      for (int i = 1; i < clustering.length; i++) {
        String name = clustering[i].strip();
        parts.put(name, keyPart("clustering", i - 1, orders.getOrDefault(name, "ASC")));
      }
    }
    return parts;
  }

  static String keyPart(String kind, int position, String order) {
    return switch (kind) {
      case "partition_key" -> ", partition key " + position;
      case "clustering" -> ", clustering " + position + " " + order.toUpperCase(Locale.ROOT);
      case "regular" -> "";
      default -> ", " + kind;
    };
  }

  private static Map<String, String> options(String tail) {
    Map<String, String> options = new TreeMap<>();
    Matcher compaction = MAP.matcher(tail);
    if (compaction.find()) {
      Matcher entry = ENTRY.matcher(compaction.group(1));
      while (entry.find()) {
        options.put(COMPACTION + entry.group(1), entry.group(2));
      }
    }
    Matcher seconds = SECONDS.matcher(tail);
    if (seconds.find()) {
      options.put(TTL, seconds.group(1));
    }
    Matcher comment = TEXT.matcher(tail);
    if (comment.find()) {
      options.put(COMMENT, comment.group(1));
    }
    return options;
  }

  /**
   * Describes columns and options that the server lacks or defines differently; it may have others.
   */
  List<String> differences(@Nullable Definition found) {
    if (found == null) {
      return List.of(name + " is missing");
    }
    List<String> differences = new ArrayList<>();
    compare("column ", columns, found.columns, differences);
    compare("", options, found.options, differences);
    return differences;
  }

  private void compare(
      String kind, Map<String, String> want, Map<String, String> have, List<String> differences) {
    want.forEach(
        (key, value) -> {
          String is = have.get(key);
          if (is == null) {
            differences.add(name + " has no " + kind + key + " (" + value + ")");
          } else if (!is.equals(value)) {
            differences.add(name + ": " + kind + key + " is " + is + ", want " + value);
          }
        });
  }
}
