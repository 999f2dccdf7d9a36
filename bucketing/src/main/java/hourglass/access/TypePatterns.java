package hourglass.access;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The event types that a key may use: whole types, with {@code *} for any text. Immutable.
 *
 * <p>A {@code *} stands for zero or more characters, so {@code shop.*} allows {@code shop.cart} and
 * {@code shop.}, but not {@code shop}. Case counts.
 */
public final class TypePatterns {
  private static final String ANY = "*";

  public static final TypePatterns ALL = new TypePatterns(List.of(ANY));

  private final List<String> texts;
  private final boolean isAll;
  private final TreeSet<String> whole = new TreeSet<>();
  private final List<Pattern> wildcards;

  /** A pattern is any text that is not empty; no patterns allow nothing. */
  public static TypePatterns of(List<String> patterns) {
    return patterns.contains(ANY) ? ALL : new TypePatterns(patterns);
  }

  private TypePatterns(List<String> patterns) {
    texts = List.copyOf(patterns);
    isAll = texts.contains(ANY);
    texts.stream().filter(text -> !text.contains(ANY)).forEach(whole::add);
    wildcards =
        texts.stream().filter(text -> text.contains(ANY)).map(TypePatterns::compile).toList();
  }

  /** Stars in a row are one, and each takes as little as it can: there is little to try again. */
  private static Pattern compile(String text) {
    String regex =
        List.of(text.replaceAll("\\*+", ANY).split("\\*", -1)).stream()
            .map(Pattern::quote)
            .collect(Collectors.joining(".*?"));
    return Pattern.compile(regex, Pattern.DOTALL);
  }

  /** Whether every type is allowed, also one that does not exist yet. */
  public boolean isAll() {
    return isAll;
  }

  public boolean allows(String type) {
    return isAll
        || whole.contains(type)
        || wildcards.stream().anyMatch(pattern -> pattern.matcher(type).matches());
  }

  /** As given, in their order. */
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
