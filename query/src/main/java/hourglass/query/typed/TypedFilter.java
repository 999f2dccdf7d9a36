package hourglass.query.typed;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import hourglass.bucketing.EventType;
import hourglass.bucketing.TimeUuid;
import hourglass.query.typed.Node.Several;
import hourglass.query.typed.Node.Test;
import hourglass.query.typed.Node.Value;
import hourglass.query.where.Outline;
import hourglass.query.where.Where;
import hourglass.query.where.WhereException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A typed filter and its meaning: an event passes if its type is one of {@code types}, {@code
 * where()} is true and all {@code words} occur in it. Immutable.
 *
 * @param text as it was typed
 * @param conditions expressions, all of which must hold
 * @param words words to find, as {@code word=} does
 * @param types empty for every type
 * @param id the event whose id was typed; null for none
 * @param parts the outermost parts, all of which must hold
 * @param fields the fields that are named, by their place in the text
 */
public record TypedFilter(
    String text,
    Language language,
    List<String> conditions,
    List<String> words,
    SortedSet<String> types,
    @Nullable TimeUuid id,
    boolean isLoose,
    List<Span> parts,
    List<Field> fields) {

  /** The language in which a filter was read. */
  public enum Language {
    NONE,
    WORDS,
    CEL
  }

  /** A field, with its place in the text. */
  public record Field(String name, Span at) {}

  /** The most characters of a filter, which is also the limit of {@code where}. */
  public static final int CHARACTERS_MAX = 4_096;

  /** The most words of a filter. Each is searched for in each payload. */
  public static final int WORDS_MAX = 16;

  private static final Pattern UUID =
      Pattern.compile("\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private static final Pattern TOO_LARGE = Pattern.compile("limit|want at most");

  /** The filters that were read last, since each part of a view asks for the same one. */
  private static final Cache<String, TypedFilter> RECENT =
      CacheBuilder.newBuilder().maximumSize(64).build();

  /**
   * Reads a filter. This may take some milliseconds.
   *
   * @throws FilterException if the text resembles a filter but is not valid
   */
  public static TypedFilter of(String typed) {
    TypedFilter recent = RECENT.getIfPresent(typed);
    if (recent != null) {
      return recent;
    }
    TypedFilter read = read(typed);
    RECENT.put(typed, read);
    return read;
  }

  private static TypedFilter read(String text) {
    if (text.length() > CHARACTERS_MAX) {
      throw FilterException.of(
          text.substring(0, 40) + "...",
          new Span(0, 0),
          text.length() + " characters, want at most " + CHARACTERS_MAX,
          null);
    }
    if (text.isBlank()) {
      return new TypedFilter(
          "",
          Language.NONE,
          List.of(),
          List.of(),
          types(List.of()),
          null,
          false,
          List.of(),
          List.of());
    }
    CelText cel = CelText.read(text);
    return cel == null ? ofWords(text) : ofCel(text, cel);
  }

  /** Whether a text is the id of an event, rather than an id of another kind. */
  static boolean isId(String text) {
    return UUID.matcher(text).matches() && id(text) != null;
  }

  private static @Nullable TimeUuid id(String text) {
    try {
      return TimeUuid.parse(text.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      return null; // such as the id of a request
    }
  }

  private static TypedFilter ofCel(String text, CelText cel) {
    List<Field> fields =
        cel.outline().names().stream()
            .map(
                name ->
                    new Field(FieldName.of(name.path()).name(), new Span(name.from(), name.to())))
            .toList();
    return new TypedFilter(
        text,
        Language.CEL,
        List.of(cel.where()),
        List.of(),
        types(List.of()),
        null,
        cel.outline().isLoose(),
        List.of(new Span(0, text.length())),
        fields);
  }

  private static TypedFilter ofWords(String text) {
    Node tree;
    try {
      tree = TypedParser.read(text);
    } catch (FilterException e) {
      String fix = CelText.mended(text);
      throw fix == null ? e : FilterException.of(text, e.at(), e.reason(), fix, e);
    }
    WhereText where = new WhereText(new Slips(text));
    List<Node> parts =
        tree instanceof Several several && several.all() ? several.items() : List.of(tree);
    List<String> words = new ArrayList<>();
    List<String> types = new ArrayList<>();
    List<String> conditions = new ArrayList<>();
    for (Node part : flat(tree).toList()) {
      if (part instanceof Node.Words of) {
        words.add(of.text());
      } else if (types.isEmpty() && isTypes(part)) {
        ((Test) part).values().forEach(value -> types.add(value.text()));
      } else if (!(part instanceof Node.Anything)) {
        conditions.add(where.of(part));
      }
    }
    if (words.size() > WORDS_MAX) {
      throw FilterException.of(
          text,
          tree.at(),
          "more than " + WORDS_MAX + " words; put those that stand together in quotes",
          null);
    }
    check(text, String.join(" && ", conditions));
    boolean isId = tree instanceof Test test && test.names().isEmpty();
    boolean isLoose = tree instanceof Several several && !several.all();
    List<Field> fields = new ArrayList<>();
    addFields(tree, fields);
    return new TypedFilter(
        text,
        Language.WORDS,
        List.copyOf(conditions),
        List.copyOf(words),
        types(types),
        isId ? id(text.strip()) : null,
        isLoose,
        parts.stream().map(Node::at).toList(),
        List.copyOf(fields));
  }

  /** Returns the parts that must hold, without the parentheses around several of them. */
  private static Stream<Node> flat(Node node) {
    return node instanceof Several several && several.all()
        ? several.items().stream().flatMap(TypedFilter::flat)
        : Stream.of(node);
  }

  private static boolean isTypes(Node part) {
    return part instanceof Test test
        && test.field().equals(FieldName.TYPE)
        && (test.operator() == Operator.IS || test.operator() == Operator.EXACTLY)
        && test.values().stream().noneMatch(Value::isPattern)
        && test.values().stream().allMatch(value -> isType(value.text()));
  }

  private static boolean isType(String text) {
    try {
      EventType.check(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void addFields(Node node, List<Field> fields) {
    if (node instanceof Several several) {
      several.items().forEach(item -> addFields(item, fields));
    } else if (node instanceof Node.Not not) {
      addFields(not.item(), fields);
    } else if (node instanceof Test test) {
      test.names().forEach(at -> fields.add(new Field(FieldName.of(test.field()).name(), at)));
    }
  }

  /** Refuses expressions that are too large, and invalid regular expressions. */
  private static void check(String text, String where) {
    try {
      if (!where.isEmpty()) {
        Where.compile(where);
      }
    } catch (WhereException e) {
      String said = String.valueOf(e.getMessage()).replaceFirst("^column \\d+: ", "");
      String reason =
          TOO_LARGE.matcher(said).find()
              ? "fewer values or tests, please: its expression is too large (" + said + ")"
              : said;
      throw FilterException.of(text, new Span(0, text.length()), reason, null, e);
    }
  }

  private static SortedSet<String> types(List<String> types) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(types));
  }

  /** Returns an expression that is true if all conditions hold; empty if there is none. */
  public String where() {
    return String.join(" && ", conditions);
  }

  /** Returns the whole filter as an expression; empty if every event passes. */
  public String expression() {
    return String.join(" && ", all());
  }

  private List<String> all() {
    Stream<String> ofTypes =
        types.isEmpty()
            ? Stream.empty()
            : Stream.of(
                types.stream()
                    .map(Literals::text)
                    .collect(Collectors.joining(", ", "type in [", "]")));
    Stream<String> ofWords =
        words.stream().map(word -> "data.hasWords(" + Literals.text(word) + ")");
    return Stream.of(ofTypes, conditions.stream(), ofWords).flatMap(part -> part).toList();
  }

  /** Returns the text of a filter for events that pass both filters. */
  public String and(TypedFilter other) {
    if (all().isEmpty() || other.all().isEmpty()) {
      return all().isEmpty() ? other.text : text;
    }
    boolean isThere =
        parts.stream().anyMatch(at -> text.substring(at.from(), at.to()).equals(other.text));
    if (isThere && !isLoose) {
      return text;
    }
    String one = text.strip();
    String two = other.text.strip();
    return Stream.of(
            (isLoose ? "(" + one + ")" : one) + " " + (other.isLoose ? "(" + two + ")" : two),
            "(" + one + ") (" + two + ")")
        .filter(joined -> language == Language.WORDS && other.language == Language.WORDS)
        .filter(joined -> means(joined, other))
        .findFirst()
        .orElseGet(() -> bracketed(this) + " && " + bracketed(other));
  }

  /** Whether a text means this filter and the other one, and nothing else. */
  private boolean means(String joined, TypedFilter other) {
    try {
      TypedFilter read = of(joined);
      List<String> both = new ArrayList<>(all());
      both.addAll(other.all());
      List<String> meant = new ArrayList<>(read.all());
      boolean haveTypes = !types.isEmpty() && !other.types.isEmpty();
      return both.size() == meant.size()
          && (haveTypes || new HashSet<>(both).equals(new HashSet<>(meant)));
    } catch (FilterException e) {
      return false; // such as one that is too long
    }
  }

  /** Returns an expression that {@code &&} may join. A comment needs a line break after it. */
  private static String bracketed(TypedFilter filter) {
    if (filter.language != Language.CEL) {
      return filter.expression();
    }
    boolean hasComment = filter.text.contains("//");
    boolean isPlain = !filter.isLoose && !hasComment;
    return isPlain ? filter.text.strip() : "(" + filter.text.strip() + (hasComment ? "\n)" : ")");
  }

  /**
   * Returns the values that are searched for, by their field, or by {@code data} if they may be
   * anywhere.
   */
  public List<Outline.Value> compared() {
    Outline outline = Outline.of(expression());
    return outline == null ? List.of() : outline.compared();
  }
}
