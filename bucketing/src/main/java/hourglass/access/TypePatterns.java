package hourglass.access;

import java.util.List;
import java.util.TreeSet;

/**
 * The event types that a key may use: whole types, with {@code *} for any text. Immutable.
 *
 * <p>A {@code *} stands for zero or more characters, so {@code shop.*} allows {@code shop.cart} and
 * {@code shop.}, but not {@code shop}. Case counts.
 */
public final class TypePatterns {
  private static final char STAR = '*';
  private static final String ANY = String.valueOf(STAR);

  public static final TypePatterns ALL = new TypePatterns(List.of(ANY));

  private final List<String> texts;
  private final boolean isAll;
  private final TreeSet<String> whole = new TreeSet<>();
  private final List<String> wildcards;

  /**
   * Returns the patterns as one. A pattern is any text that is not empty; an empty list allows no
   * type.
   */
  public static TypePatterns of(List<String> patterns) {
    return patterns.contains(ANY) ? ALL : new TypePatterns(patterns);
  }

  private TypePatterns(List<String> patterns) {
    texts = List.copyOf(patterns);
    isAll = texts.contains(ANY);
    texts.stream().filter(text -> !text.contains(ANY)).forEach(whole::add);
    wildcards = texts.stream().filter(text -> text.contains(ANY)).toList();
  }

  /** Returns whether every type is allowed, even one that does not exist yet. */
  public boolean isAll() {
    return isAll;
  }

  public boolean allows(String type) {
    return isAll
        || whole.contains(type)
        || wildcards.stream().anyMatch(pattern -> matches(pattern, type));
  }

  /**
   * Returns whether a pattern matches a whole type. Each star matches as little as it can, and only
   * the last one seen is ever extended. So a match costs at most the product of both lengths,
   * whatever the number of stars.
   */
  private static boolean matches(String pattern, String type) {
    int at = 0;
    int star = -1;
    int takenTo = 0;
    for (int i = 0; i < type.length(); ) {
      if (at < pattern.length() && pattern.charAt(at) == STAR) {
        star = at++;
        takenTo = i;
      } else if (at < pattern.length() && pattern.charAt(at) == type.charAt(i)) {
        at++;
        i++;
      } else if (star >= 0) {
        at = star + 1;
        i = ++takenTo;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == STAR) {
      at++;
    }
    return at == pattern.length();
  }

  /** Returns the patterns as given, in their order. */
  public List<String> texts() {
    return texts;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TypePatterns patterns && patterns.texts.equals(texts);
  }

  @Override
  public int hashCode() {
    return texts.hashCode();
  }

  @Override
  public String toString() {
    return String.join(",", texts);
  }
}
