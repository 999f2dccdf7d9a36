package hourglass.query.http;

import hourglass.query.BadParameterException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request. Names that the endpoint does not have, and repeated values, are
 * refused; only {@code type} may be repeated.
 */
abstract class GivenParameters {
  private final Map<String, List<String>> values;

  /** Checks the decoded values of a request against the names that its endpoint knows. */
  GivenParameters(Map<String, List<String>> values, Set<String> known) {
    this.values = values;
    for (Map.Entry<String, List<String>> entry : values.entrySet()) {
      check(entry.getKey(), entry.getValue(), known);
    }
  }

  private static void check(String name, List<String> given, Set<String> known) {
    if (!known.contains(name)) {
      throw new BadParameterException(
          "%s: \"%s\" is given, but there is no such parameter; want %s"
              .formatted(name, given.get(0), told(known)));
    }
    if (given.size() > 1 && !name.equals("type")) {
      throw new BadParameterException(
          "%s: given %d times (\"%s\", \"%s\"), want it once"
              .formatted(name, given.size(), given.get(0), given.get(1)));
    }
  }

  private static String told(Set<String> known) {
    return known.isEmpty() ? "none" : "one of " + String.join(", ", new TreeSet<>(known));
  }

  /** The value of a parameter; null if absent. */
  final @Nullable String one(String name) {
    List<String> given = values.get(name);
    return given == null ? null : given.get(0);
  }

  final List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** The value of a parameter; an empty value is refused, and an absent one reads as empty. */
  final String text(String name) {
    String text = one(name);
    if (text != null && text.isEmpty()) {
      throw BadParameterException.of(name, text, "a text of at least one character");
    }
    return text == null ? "" : text;
  }

  /**
   * A number from 1 to {@code max}.
   *
   * @param orElse other values that are allowed, for the message
   */
  final int number(String name, int byDefault, int max, String orElse) {
    String text = one(name);
    if (text == null) {
      return byDefault;
    }
    try {
      int number = Integer.parseInt(text);
      if (number > 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below, like a number out of range
    }
    throw BadParameterException.of(name, text, "a number from 1 to " + max + orElse);
  }
}
