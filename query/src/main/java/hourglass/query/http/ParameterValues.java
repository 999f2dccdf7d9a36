package hourglass.query.http;

import hourglass.query.BadParameterException;
import io.vertx.core.MultiMap;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a request's parameters. An unknown, repeated or malformed one is refused with a
 * {@link BadParameterException}, which names the allowed values.
 */
final class ParameterValues {
  /** Parameters that may be given several times. */
  private static final Set<String> REPEATED = Set.of("type", "by", "word");

  private final MultiMap values;

  ParameterValues(MultiMap values, Endpoint endpoint) {
    this.values = values;
    for (String name : values.names()) {
      check(name, values.getAll(name), endpoint.parameters());
    }
  }

  private static void check(String name, List<String> given, Set<String> known) {
    if (!known.contains(name)) {
      throw new BadParameterException(
          "%s: \"%s\" is given, but there is no such parameter; want %s"
              .formatted(
                  name,
                  given.get(0),
                  known.isEmpty() ? "none" : "one of " + String.join(", ", new TreeSet<>(known))));
    }
    if (given.size() > 1 && !REPEATED.contains(name)) {
      throw new BadParameterException(
          "%s: given %d times (\"%s\", \"%s\"), want it once"
              .formatted(name, given.size(), given.get(0), given.get(1)));
    }
  }

  /** Returns the value of a parameter; null if it is absent. */
  @Nullable String one(String name) {
    return values.get(name);
  }

  /** Returns the text of a parameter; empty if it is absent. An empty value is refused. */
  String text(String name) {
    String text = one(name);
    if (text != null && text.isEmpty()) {
      throw BadParameterException.of(name, text, "a text of at least one character");
    }
    return text == null ? "" : text;
  }

  /** Returns a value that must be one of those allowed; null if it is absent. */
  @Nullable String choice(String name, String... allowed) {
    String value = one(name);
    if (value == null || Arrays.asList(allowed).contains(value)) {
      return value;
    }
    int last = allowed.length - 1;
    String most = String.join(", ", Arrays.copyOf(allowed, last));
    throw BadParameterException.of(
        name, value, most.isEmpty() ? allowed[last] : most + " or " + allowed[last]);
  }

  boolean isTrue(String name) {
    return "true".equals(choice(name, "true", "false"));
  }

  /**
   * Returns a number from 1 to {@code max}. The message of a refusal names {@code orElse} as
   * allowed, too.
   */
  int number(String name, int byDefault, int max, String orElse) {
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

  void refuse(String name, String why) {
    if (one(name) != null) {
      throw new BadParameterException(name + ": \"" + one(name) + "\" is given " + why);
    }
  }

  List<String> all(String name) {
    return values.getAll(name);
  }
}
