package hourglass.query.typed;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A field of a typed filter, under the name that it has in {@code where}.
 *
 * @param name {@code type}, {@code id}, {@code time}, {@code detected_level}, or a path such as
 *     {@code data.http.status}
 */
record FieldName(String name) {
  static final String DATA = "data.";
  static final String TYPE = "type";
  static final String ID = "id";
  static final String TIME = "time";

  /** The names of the values that an event has besides its payload. */
  private static final Set<String> OUTSIDE = Set.of(TYPE, ID, TIME, "detected_level");

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** The names that CEL allows in backticks. */
  private static final Pattern TICKED = Pattern.compile("[A-Za-z0-9_./ -]+");

  /** The words that CEL reserves. */
  private static final Set<String> RESERVED =
      Set.of(
          ("as break const continue else false for function if import in let loop namespace null"
                  + " package return true var void while")
              .split(" ", -1));

  /** Returns the field for a typed name, with or without {@code data.} at its beginning. */
  static FieldName of(String typed) {
    boolean isWhole = OUTSIDE.contains(typed) || typed.startsWith(DATA);
    return new FieldName(isWhole ? typed : DATA + typed);
  }

  boolean isOutside() {
    return OUTSIDE.contains(name);
  }

  private List<String> parts() {
    return List.of(name.substring(DATA.length()).split("\\.", -1));
  }

  /** Returns the field as an expression, such as {@code data.http.`user-agent`}. */
  String reference() {
    return isOutside() ? name : reference(parts());
  }

  private static String reference(List<String> parts) {
    return "data" + parts.stream().map(FieldName::member).collect(Collectors.joining());
  }

  private static String member(String part) {
    if (isWord(part)) {
      return "." + part;
    }
    return isTicked(part) ? ".`" + part + "`" : "[" + Literals.text(part) + "]";
  }

  private static boolean isWord(String part) {
    return IDENTIFIER.matcher(part).matches() && !RESERVED.contains(part);
  }

  private static boolean isTicked(String part) {
    return TICKED.matcher(part).matches();
  }

  /** Returns a condition that is true for events with the field. */
  String exists() {
    return isOutside() ? "true" : there(parts());
  }

  private static String there(List<String> parts) {
    int last = parts.size() - 1;
    String part = parts.get(last);
    return isWord(part) || isTicked(part)
        ? "has(" + reference(parts) + ")"
        : Literals.text(part) + " in " + reference(parts.subList(0, last));
  }

  /**
   * Returns conditions of which one is true for an event without the field, and none for an event
   * with it. Others may be errors, if an object in the path is missing.
   *
   * <pre>
   * data.a.b    (!has(data.a) &amp;&amp; !("a.b" in data))
   *             !has(data.a.b)
   *             (type(data.a) != map &amp;&amp; !("a.b" in data))
   * </pre>
   */
  List<String> missing() {
    if (isOutside()) {
      return List.of();
    }
    List<String> parts = parts();
    List<String> conditions = new ArrayList<>();
    for (int level = 0; level < parts.size(); level++) {
      List<String> path = parts.subList(0, level + 1);
      conditions.add(also("!" + bracketed(there(path)), parts, level));
    }
    for (int level = 0; level < parts.size() - 1; level++) {
      String object = reference(parts.subList(0, level + 1));
      conditions.add(also("type(" + object + ") != map", parts, level));
    }
    return conditions;
  }

  private static String bracketed(String condition) {
    return condition.startsWith("has(") ? condition : "(" + condition + ")";
  }

  /**
   * Adds to a condition that no key with dots leads past the level. Such a key may be in an object
   * at the level or above it, which may be missing itself.
   */
  private static String also(String condition, List<String> parts, int level) {
    String keys =
        IntStream.rangeClosed(0, level)
            .boxed()
            .flatMap(
                from ->
                    IntStream.range(level + 2, parts.size() + 1)
                        .mapToObj(end -> " && " + without(parts, from, end)))
            .collect(Collectors.joining());
    return keys.isEmpty() ? condition : "(" + condition + keys + ")";
  }

  /**
   * Returns the condition that the object at the parts before {@code from} has no key of the parts
   * {@code [from, end)}.
   */
  private static String without(List<String> parts, int from, int end) {
    String object = reference(parts.subList(0, from));
    String not =
        "!(%s in %s)".formatted(Literals.text(String.join(".", parts.subList(from, end))), object);
    return from == 0
        ? not
        : "(!%s || type(%s) != map || %s)"
            .formatted(bracketed(there(parts.subList(0, from))), object, not);
  }
}
