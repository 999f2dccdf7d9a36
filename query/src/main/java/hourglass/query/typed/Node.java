package hourglass.query.typed;

import java.util.ArrayList;
import java.util.List;

/** A part of a typed filter. Immutable. */
sealed interface Node {
  Span at();

  /**
   * The condition that all or any of some parts hold; {@code isBracketed} if they are in
   * parentheses.
   */
  record Several(boolean all, List<Node> items, boolean isBracketed, Span at) implements Node {}

  record Not(Node item, Span at) implements Node {}

  /** Words to find anywhere in an event; {@code *} after the last stands for the rest of it. */
  record Words(String text, Span at) implements Node {
    /** Returns a text whose last word is whole: a {@code *} after it would be the rest of it. */
    static String whole(String text) {
      return text.replaceFirst("(?<=[^*\\s])\\*$", "");
    }
  }

  /** The condition that every event meets. */
  record Anything(Span at) implements Node {}

  /** A test of a field, by its name as it was typed, perhaps several times. */
  record Test(String field, List<Span> names, Operator operator, List<Value> values, Span at)
      implements Node {
    Test with(List<Span> otherNames, List<Value> others, Span place) {
      return new Test(field, otherNames, operator, others, place);
    }

    Test at(Span place) {
      return with(names, values, place);
    }
  }

  /** A value as it was typed. A value in quotes is a text, without wildcards. */
  record Value(String text, boolean isQuoted, Span at) {
    /** The character for {@code *} after a backslash, which is not a wildcard. */
    static final char ESCAPED_STAR = '\uE000';

    static String plain(String text) {
      return text.replace(ESCAPED_STAR, '*');
    }

    /** Returns the words of a value that is no pattern. */
    String asWords() {
      return Words.whole(plain(text));
    }

    boolean isPattern() {
      return !isQuoted && text.indexOf('*') >= 0;
    }
  }

  /** Whether the part is a test, next to which {@code and}, {@code or} and {@code not} join. */
  default boolean isTest() {
    return this instanceof Test
        || this instanceof Several several && several.isBracketed
        || this instanceof Not not && not.item.isTest();
  }

  /** Returns a part for all or any of several, which is the only one itself. */
  static Node joined(boolean all, List<Node> items) {
    if (items.size() == 1) {
      return items.get(0);
    }
    Span place = items.get(0).at().until(items.get(items.size() - 1).at());
    return all ? new Several(true, List.copyOf(items), false, place) : anyOf(items, place);
  }

  /**
   * Returns a part for any of several. Values of one field become one test if they are compared in
   * the same way.
   */
  private static Node anyOf(List<Node> items, Span place) {
    List<Value> values = new ArrayList<>();
    List<Span> names = new ArrayList<>();
    for (Node item : items) {
      if (!(item instanceof Test test)
          || !(items.get(0) instanceof Test first)
          || test.operator() != Operator.IS
          || !test.field().equals(first.field())) {
        return new Several(false, List.copyOf(items), false, place);
      }
      values.addAll(test.values());
      test.names().stream().filter(name -> !names.contains(name)).forEach(names::add);
    }
    return ((Test) items.get(0)).with(List.copyOf(names), List.copyOf(values), place);
  }
}
