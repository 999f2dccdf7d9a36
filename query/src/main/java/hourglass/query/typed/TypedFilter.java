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
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A filter as it was typed, and what it means: an event passes if its type is one of {@code types},
 * {@code where} is true and all {@code words} occur in it. Immutable.
 *
 * @param text on one line
 * @param where an expression; empty: no condition
 * @param words texts to be found in any case, as {@code word=} finds them
 * @param types empty: every type
 * @param id the event whose id was typed; null: none
 * @param parts the outermost parts, all of which must hold
 * @param fields that are named, by their place in the text
 */
public record TypedFilter(
    String text,
    Language language,
    String where,
    List<String> words,
    SortedSet<String> types,
    @Nullable TimeUuid id,
    boolean isLoose,
    List<Span> parts,
    List<Field> fields) {

  /** What a filter was read as. */
  public enum Language {
    NONE,
    WORDS,
    CEL
  }

  /** A field at its place in the text. */
  public record Field(String name, Span at) {}

  /** Characters; {@code where} has the same limit. */
  public static final int CHARACTERS_MAX = 4_096;

  /** Words of a filter; each is searched in each payload. */
  public static final int WORDS_MAX = 16;

  private static final Pattern UUID =
      Pattern.compile("\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  /** Filters that were read lately, since each part of a view asks for the same one. */
  private static final Cache<String, TypedFilter> RECENT =
      CacheBuilder.newBuilder().maximumSize(64).build();

  /**
   * Reads a filter. It may take some milliseconds.
   *
   * @throws FilterException if the text reads like a filter and is none
   */
  public static TypedFilter of(String typed) {
    TypedFilter recent = RECENT.getIfPresent(typed);
    if (recent != null) {
      return recent;
    }
    TypedFilter read = read(TypedParser.oneLine(typed));
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
    if (text.isEmpty()) {
      return new TypedFilter(
          text, Language.NONE, "", List.of(), types(List.of()), null, false, List.of(), List.of());
    }
    TypedFilter ofId = ofId(text);
    if (ofId != null) {
      return ofId;
    }
    CelText cel = CelText.read(text);
    return cel == null ? ofWords(text) : ofCel(text, cel);
  }

  /** Null if the text is not the id of an event. */
  private static @Nullable TypedFilter ofId(String text) {
    if (!UUID.matcher(text).matches()) {
      return null;
    }
    try {
      TimeUuid id = TimeUuid.parse(text.toLowerCase(Locale.ROOT));
      return new TypedFilter(
          text,
          Language.WORDS,
          "id == " + Literals.text(id.toString()),
          List.of(),
          types(List.of()),
          id,
          false,
          List.of(new Span(0, text.length())),
          List.of());
    } catch (IllegalArgumentException e) {
      return null; // of another kind, such as the id of a request
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
        cel.where(),
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
    for (Node part : parts) {
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
          parts.get(WORDS_MAX).at(),
          "more than " + WORDS_MAX + " words; put those that stand together in quotes",
          null);
    }
    String all = String.join(" && ", conditions);
    check(text, all);
    boolean isLoose = tree instanceof Several several && !several.all();
    List<Field> fields = new ArrayList<>();
    addFields(tree, fields);
    return new TypedFilter(
        text,
        Language.WORDS,
        all,
        List.copyOf(words),
        types(types),
        null,
        isLoose,
        parts.stream().map(Node::at).toList(),
        List.copyOf(fields));
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
      fields.add(new Field(FieldName.of(test.field()).name(), test.name()));
    }
  }

  /** Refuses what is too large, and regular expressions that are none. */
  private static void check(String text, String where) {
    try {
      if (!where.isEmpty()) {
        Where.compile(where);
      }
    } catch (WhereException e) {
      String reason = String.valueOf(e.getMessage()).replaceFirst("^column \\d+: ", "");
      throw FilterException.of(text, new Span(0, text.length()), reason, null, e);
    }
  }

  private static SortedSet<String> types(List<String> types) {
    return new TreeSet<>(types);
  }

  /** All of the filter as an expression. */
  public String expression() {
    Stream<String> ofTypes =
        types.isEmpty()
            ? Stream.empty()
            : Stream.of(
                types.stream()
                    .map(Literals::text)
                    .collect(Collectors.joining(", ", "type in [", "]")));
    Stream<String> ofWords =
        words.stream().map(word -> "data.hasWords(" + Literals.text(word) + ")");
    Stream<String> ofWhere = where.isEmpty() ? Stream.empty() : Stream.of(where);
    return Stream.of(ofTypes, ofWhere, ofWords)
        .flatMap(part -> part)
        .collect(Collectors.joining(" && "));
  }

  /** The text of a filter for events that pass both. */
  public String and(TypedFilter other) {
    if (text.isEmpty() || other.text.isEmpty()) {
      return text.isEmpty() ? other.text : text;
    }
    if (language == Language.CEL || other.language == Language.CEL) {
      return bracketed(this) + " && " + bracketed(other);
    }
    boolean isThere =
        parts.stream().anyMatch(at -> text.substring(at.from(), at.to()).equals(other.text));
    if (isThere && !isLoose) {
      return text;
    }
    return (isLoose ? "(" + text + ")" : text)
        + " "
        + (other.isLoose ? "(" + other.text + ")" : other.text);
  }

  private static String bracketed(TypedFilter filter) {
    String text = filter.language == Language.CEL ? filter.text : filter.expression();
    return filter.isLoose && filter.language == Language.CEL ? "(" + text + ")" : text;
  }

  /** Values that are looked for, by their field; those anywhere by {@code data}. */
  public List<Outline.Value> compared() {
    Outline outline = Outline.of(expression());
    return outline == null ? List.of() : outline.compared();
  }
}
