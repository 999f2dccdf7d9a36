package hourglass.query.http;

import hourglass.query.BadParameterException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The values that a request gives by name, each known to its endpoint, and once where one goes. */
abstract class GivenParameters {
  private final Map<String, List<String>> values;

  /**
   * @param values every parameter of the request with its values, decoded
   * @param known the names that the endpoint answers to
   */
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

  /** What is given; null if nothing is. */
  final @Nullable String one(String name) {
    List<String> given = values.get(name);
    return given == null ? null : given.get(0);
  }

  /** All that are given. */
  final List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** What is given, which is not empty; empty if nothing is. */
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
   * @param orElse what else is allowed, for the message
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
      // told below, as for a number out of range
    }
    throw BadParameterException.of(name, text, "a number from 1 to " + max + orElse);
  }
}
