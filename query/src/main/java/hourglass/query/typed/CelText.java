package hourglass.query.typed;

import hourglass.query.where.Outline;
import hourglass.query.where.Outline.Name;
import hourglass.query.where.Where;
import hourglass.query.where.WhereException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A typed filter that is a valid expression of {@code where} with an operator or a call. If it
 * calls a function, fields may omit {@code data.}, as in {@code path.startsWith("/api")}; without a
 * call, such a text is read like other typed filters.
 *
 * @param where the expression, with {@code data.}
 */
record CelText(String where, Outline outline) {
  private static final Set<String> ROOTS = Set.of("data", "type", "id", "time", "detected_level");

  private static final Pattern SIGNS = Pattern.compile("[=<>!&|(+*/%?\\[-]|\\bin\\b");

  /** A part that only an expression contains: a path into the payload, or a call with a text. */
  private static final Pattern SURE =
      Pattern.compile("(?<![\\w.`\"])data\\s*[.\\[]|\\.\\w+\\(\\s*[\"']|(?<!\\w)has\\(");

  /** A word before brackets, which CEL reads as a function. */
  private static final Pattern NEGATED = Pattern.compile("\\bNOT\\s*\\(");

  private static final Pattern OPERATION = Pattern.compile("[=<>!]=|[<>]|&&|\\|\\||\\(");

  private static final Pattern POSITION =
      Pattern.compile("(?:line \\d+, )?column (\\d+): (.*)", Pattern.DOTALL);

  private static final Pattern QUOTED =
      Pattern.compile("\"(?:\\\\.|[^\"\\\\])*+\"?|'(?:\\\\.|[^'\\\\])*+'?", Pattern.DOTALL);

  /**
   * Reads an expression. Returns null if the text is not one; throws {@link FilterException} if it
   * is one with a mistake.
   */
  static @Nullable CelText read(String text) {
    if (!SIGNS.matcher(text).find()) {
      return null;
    }
    Outline outline = Outline.of(text);
    if (outline == null || !outline.hasOperator() || outline.names().isEmpty()) {
      return null;
    }
    List<Name> others = outline.names().stream().filter(name -> !isRoot(name)).toList();
    if (!others.isEmpty() && !outline.hasCall()) {
      return null;
    }
    String where = withData(text, others);
    try {
      Where.compile(where);
      return new CelText(where, outline);
    } catch (WhereException e) {
      String unquoted = unquoted(text);
      boolean isSure =
          others.isEmpty() && SURE.matcher(unquoted).find() && !NEGATED.matcher(unquoted).find();
      if (isSure) {
        throw refused(text, e);
      }
      return null;
    }
  }

  private static boolean isRoot(Name name) {
    return ROOTS.contains(name.root());
  }

  private static String withData(String text, List<Name> fields) {
    StringBuilder where = new StringBuilder(text);
    for (int i = fields.size() - 1; i >= 0; i--) {
      where.insert(fields.get(i).from(), FieldName.DATA);
    }
    return where.toString();
  }

  static FilterException refused(String text, WhereException e) {
    Matcher position = POSITION.matcher(String.valueOf(e.getMessage()));
    boolean isPlaced = position.matches();
    int column = isPlaced ? Integer.parseInt(position.group(1)) - 1 : 0;
    int from = text.offsetByCodePoints(0, Math.min(column, text.codePointCount(0, text.length())));
    return FilterException.of(
        text,
        new Span(from, Math.min(text.length(), from + 1)),
        isPlaced ? position.group(2) : String.valueOf(e.getMessage()),
        mended(text),
        e);
  }

  /**
   * Returns the expression that may be meant by an invalid one: words and signs of other languages
   * are replaced, and open quotes and brackets are closed. Returns null if the result is not valid,
   * either.
   */
  static @Nullable String mended(String text) {
    if (!SURE.matcher(unquoted(text)).find() || !OPERATION.matcher(unquoted(text)).find()) {
      return null;
    }
    String there = outsideQuotes(text, "\\bhas\\(\\s*(?!data\\b)(?=[A-Za-z_])", "has(data.");
    String joined =
        outsideQuotes(
            there,
            "(?i)(?<=[\\s)])and(?=[\\s(])",
            "&&",
            "(?i)(?<=[\\s)])or(?=[\\s(])",
            "||",
            "(?i)(?<![\\w.])not\\s+(?=\\w|\\()",
            "!");
    String compared =
        outsideQuotes(
            joined,
            "(?<![=<>!])=(?![=<>~])",
            "==",
            "===",
            "==",
            "<>",
            "!=",
            "=<",
            "<=",
            "=>",
            ">=");
    for (String candidate : List.of(there, joined, compared, closed(compared))) {
      if (!candidate.equals(text) && isExpression(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private static boolean isExpression(String text) {
    Outline outline = Outline.of(text);
    if (outline == null) {
      return false;
    }
    try {
      List<Name> others = outline.names().stream().filter(name -> !isRoot(name)).toList();
      Where.compile(withData(text, others));
      return true;
    } catch (WhereException e) {
      return false;
    }
  }

  /** Replaces patterns outside of quotes. Each pair is a pattern and its replacement. */
  private static String outsideQuotes(String text, String... pairs) {
    StringBuilder all = new StringBuilder();
    int from = 0;
    Matcher quoted = QUOTED.matcher(text);
    while (quoted.find()) {
      all.append(replaced(text.substring(from, quoted.start()), pairs)).append(quoted.group());
      from = quoted.end();
    }
    return all.append(replaced(text.substring(from), pairs)).toString();
  }

  private static String replaced(String text, String... pairs) {
    String changed = text;
    for (int i = 0; i < pairs.length; i += 2) {
      changed = changed.replaceAll(pairs[i], Matcher.quoteReplacement(pairs[i + 1]));
    }
    return changed;
  }

  private static String closed(String text) {
    StringBuilder closed = new StringBuilder(text);
    Matcher quoted = QUOTED.matcher(text);
    while (quoted.find()) {
      boolean isOpen =
          quoted.group().length() == 1 || !quoted.group().endsWith(quoted.group().substring(0, 1));
      if (isOpen) {
        closed.append(quoted.group().charAt(0));
      }
    }
    StringBuilder open = new StringBuilder();
    for (char c : unquoted(text).toCharArray()) {
      if (c == '(' || c == '[') {
        open.insert(0, c == '(' ? ')' : ']');
      } else if ((c == ')' || c == ']') && open.length() > 0) {
        open.deleteCharAt(0);
      }
    }
    return closed.append(open).toString();
  }

  /** Returns the text with {@code ""} in place of each text in quotes. */
  private static String unquoted(String text) {
    return QUOTED.matcher(text).replaceAll("\"\"");
  }
}
