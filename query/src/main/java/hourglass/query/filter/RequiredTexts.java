package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import hourglass.store.SoughtWord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The texts and words that a payload needs for a condition to be true, as {@link
 * hourglass.store.FieldFilter} states them. Immutable.
 *
 * <pre>
 * data.m.contains("refused") &amp;&amp; data.a > 1      [refused, \\u]
 * data.m.startsWith("a/b c")                 [a/b c, \], [b c, \\u]
 * data.m.matches("x+ (refused|reset)")       [refused, reset, \\u]
 * data.hasWords("dead*") || data.a > 1       nothing: any payload may match
 * </pre>
 *
 * A string of a payload may spell any character by its number, and some by a backslash and a
 * letter. So the parts without these are required, unless there is a backslash before a {@code u}.
 *
 * @param texts lists of texts; a payload contains one of each
 * @param words lists of words; a payload contains one of each
 */
public record RequiredTexts(List<List<ByteSearch>> texts, List<List<SoughtWord>> words) {
  public static final RequiredTexts NONE = new RequiredTexts(List.of(), List.of());

  private static final RequiredTexts IMPOSSIBLE =
      new RequiredTexts(List.of(List.of()), List.of(List.of()));

  /** The most alternatives of a list. A longer list excludes few pages. */
  private static final int ALTERNATIVES_MAX = 32;

  /** The most parts of a text that are required besides the whole. */
  private static final int PARTS_MAX = 3;

  /** The characters that JSON may spell with a backslash and a letter or sign. */
  private static final Pattern ESCAPABLE = Pattern.compile("[\\x00-\\x1f\"\\\\/]+");

  private static final ByteSearch BACKSLASH = search("\\");

  /** The beginning of a character that a string of JSON spells by its number. */
  public static final ByteSearch UNICODE_ESCAPE = search("\\u");

  /** Returns the texts and words that a condition needs. */
  public static RequiredTexts of(Condition condition) {
    if (condition instanceof Condition.Compound compound) {
      Stream<RequiredTexts> each = compound.of().stream().map(RequiredTexts::of);
      return switch (compound.operator()) {
        case AND -> each.reduce(NONE, RequiredTexts::and);
        case OR -> each.reduce(RequiredTexts::or).orElse(IMPOSSIBLE);
        case NOT, CHOICE -> NONE;
      };
    }
    if (condition instanceof Condition.Known known) {
      return (known.outcomes() & Outcomes.TRUE) == 0 ? IMPOSSIBLE : NONE;
    }
    if (condition instanceof ViewCondition<?> view) {
      return of(view.bytes());
    }
    if (condition instanceof Condition.OfField of) {
      return of.test().requiredTexts();
    }
    return condition instanceof Condition.OfWords of ? of(of.words()) : NONE;
  }

  /** Returns the texts and words of a search in whole payloads. */
  static RequiredTexts of(PayloadSearch search) {
    List<ByteSearch> required = search.required();
    return new RequiredTexts(
        required.isEmpty() ? List.of() : List.of(required),
        search.words().stream().map(List::of).toList());
  }

  /** Returns the texts of payloads with a string that contains a text. */
  static RequiredTexts ofPart(String text) {
    return oneOf(List.of(text), false);
  }

  /** Returns the texts of payloads with a string in which an expression of RE2 matches. */
  static RequiredTexts ofRegex(String regex) {
    RegexTexts.Needed needed = RegexTexts.of(regex);
    return needed.lists().stream()
        .map(texts -> oneOf(texts, needed.ignoreCase()))
        .reduce(NONE, RequiredTexts::and);
  }

  /** Returns the texts of payloads with a string that contains one of several texts. */
  private static RequiredTexts oneOf(List<String> texts, boolean ignoreCase) {
    return texts.stream()
        .map(text -> ignoreCase ? inAnyCase(text) : inString(text))
        .reduce(RequiredTexts::or)
        .orElse(NONE);
  }

  private static RequiredTexts inAnyCase(String text) {
    ByteSearch part = FoldedSearch.inEachCase(ESCAPABLE.splitAsStream(text));
    return part == null
        ? NONE
        : new RequiredTexts(List.of(List.of(part, UNICODE_ESCAPE)), List.of());
  }

  private static RequiredTexts inString(String text) {
    if (!TextTest.isPlain(text)) {
      return NONE;
    }
    List<List<ByteSearch>> texts = new ArrayList<>();
    if (ESCAPABLE.matcher(text).find()) {
      texts.add(List.of(search(text), BACKSLASH));
    }
    ESCAPABLE
        .splitAsStream(text)
        .filter(part -> !part.isEmpty())
        .sorted(Comparator.comparingInt(String::length).reversed())
        .limit(PARTS_MAX)
        .forEach(part -> texts.add(List.of(search(part), UNICODE_ESCAPE)));
    return new RequiredTexts(texts, List.of());
  }

  private static ByteSearch search(String text) {
    return new ByteSearch(text.getBytes(StandardCharsets.UTF_8), false);
  }

  private RequiredTexts and(RequiredTexts other) {
    return new RequiredTexts(concat(texts, other.texts), concat(words, other.words));
  }

  /** Returns the texts and words that are needed if these or others are: one list of both. */
  private RequiredTexts or(RequiredTexts other) {
    return new RequiredTexts(
        either(texts, other.texts, RequiredTexts::length),
        either(words, other.words, word -> word.text().length()));
  }

  private static <T> List<T> concat(List<T> a, List<T> b) {
    return Stream.concat(a.stream(), b.stream()).toList();
  }

  /** The length of a text that ordinary payloads may lack; escapes are rare, however short. */
  private static int length(ByteSearch text) {
    return text == UNICODE_ESCAPE || text == BACKSLASH ? Integer.MAX_VALUE : text.length();
  }

  /** Joins one list of each, whose shortest member, which most payloads have, is the longest. */
  private static <T> List<List<T>> either(
      List<List<T>> a, List<List<T>> b, ToIntFunction<T> length) {
    Comparator<List<T>> byShortest =
        Comparator.comparingInt(
            list -> list.stream().mapToInt(length).min().orElse(Integer.MAX_VALUE));
    Optional<List<T>> ofA = a.stream().max(byShortest);
    Optional<List<T>> ofB = b.stream().max(byShortest);
    if (ofA.isEmpty() || ofB.isEmpty()) {
      return List.of();
    }
    List<T> both = Stream.concat(ofA.get().stream(), ofB.get().stream()).distinct().toList();
    return both.size() > ALTERNATIVES_MAX ? List.of() : List.of(both);
  }
}
