package hourglass.query.typed;

import hourglass.query.typed.Node.Several;
import hourglass.query.typed.Node.Test;
import hourglass.query.typed.Node.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a typed filter.
 *
 * <pre>
 * any     all (OR all)*
 * all     term (AND? term)*
 * term    (- | ! | NOT) term | ( any ) | field:value | field op value | "text" | word
 * value   text | "text" | ( any, with values for terms ) | 250..500 | [250 TO 500]
 * </pre>
 *
 * {@code AND}, {@code OR} and {@code NOT} join if they are in capitals. Otherwise they join only
 * next to a test of a field, since they may be words of a text. Used once, by one thread.
 */
final class TypedParser extends FilterScanner {
  /** The most parentheses and negations within each other. Each is a frame of the stack. */
  private static final int DEPTH_MAX = 32;

  private static final String EXISTS = "_exists_";
  private static final String MISSING = "_missing_";

  private static final Pattern SIGN = Pattern.compile("==|=~|!=|!~|<>|>=|<=|=|>|<");
  private static final Pattern SIGN_AFTER_COLON = Pattern.compile(">=|<=|>|<|=~|=|!=|!~|~");
  private static final Pattern RANGE =
      Pattern.compile("([\\[{])\\s*(\\S+)\\s+TO\\s+(\\S+?)\\s*([\\]}])");
  private static final Pattern IN = Pattern.compile("\\s+((?i:not\\s+)?)(?i:in)\\s*(?=\\()");

  private int depth;

  /** The field whose values in parentheses are being read; null outside of them. */
  private @Nullable FieldToken field;

  private record FieldToken(String name, Span at, int end) {}

  private TypedParser(String text) {
    super(text);
  }

  /** Reads a filter. Throws {@link FilterException} if the text is not valid. */
  static Node read(String text) {
    return new TypedParser(text).whole();
  }

  @Override
  boolean isInList() {
    return field != null;
  }

  private Node whole() {
    slips.checkOtherLanguages();
    Node node = any();
    skip();
    if (at < text.length()) {
      throw slips.at(at, "this parenthesis closes nothing; put a text that has one in quotes");
    }
    return node;
  }

  private Node any() {
    List<Node> items = new ArrayList<>(List.of(all()));
    while (joins("OR", "||", items.get(items.size() - 1))) {
      items.add(all());
    }
    return Node.joined(false, items);
  }

  private Node all() {
    List<Node> items = new ArrayList<>();
    boolean isAny = field != null;
    while (!isEnd()) {
      Node before = items.isEmpty() ? null : items.get(items.size() - 1);
      int from = at;
      if (joins("OR", "||", before)) {
        at = from;
        break;
      }
      if (before != null && joins("AND", "&&", before)) {
        if (isEnd()) {
          throw slips.at(from, "something is missing after this");
        }
        isAny = false;
      }
      items.add(term());
    }
    if (items.isEmpty()) {
      throw slips.at(Math.max(0, at - 1), "something is missing here");
    }
    return Node.joined(!isAny, items);
  }

  private Node term() {
    int from = at;
    char c = text.charAt(from);
    slips.checkJoin(from, field == null);
    if (c == '(') {
      return group();
    }
    boolean isNumber = field != null && c == '-' && isDigit(from + 1);
    if (!isNumber && (isSign(c) || joins("NOT", "!", null))) {
      at = Math.max(at, from + 1);
      skip();
      if (at >= text.length()) {
        throw slips.at(from, "something is missing after this");
      }
      deeper(from);
      Node item = term();
      depth--;
      Span place = new Span(from, at);
      return c == '+' ? item : new Node.Not(item, place);
    }
    if (field != null) {
      return test(field, from);
    }
    FieldToken named = Names.fieldAt(text, from).map(TypedParser::token).orElse(null);
    if (named != null) {
      Node test = testOf(named, from);
      if (test != null) {
        return test;
      }
    }
    if (isQuote(c)) {
      String quoted = quoted(c);
      slips.checkAfterQuote(from, at);
      return quoted.isBlank()
          ? new Node.Anything(new Span(from, at))
          : new Node.Words(Node.Words.whole(quoted), new Span(from, at));
    }
    return word(from);
  }

  private static FieldToken token(Names.Found found) {
    return new FieldToken(found.name(), new Span(found.from(), found.to()), found.to());
  }

  private boolean isSign(char c) {
    return (c == '-' || c == '+')
        && at + 1 < text.length()
        && !isBlank(text.charAt(at + 1))
        && text.charAt(at + 1) != '-'
        && text.charAt(at + 1) != '>';
  }

  private void deeper(int from) {
    if (++depth > DEPTH_MAX) {
      throw slips.at(from, "more than " + DEPTH_MAX + " parentheses or negations in one another");
    }
  }

  private Node group() {
    int from = at++;
    deeper(from);
    Node inner = any();
    skip();
    if (at >= text.length()) {
      throw slips.fixed(from, "this parenthesis is not closed", text + ")");
    }
    at++;
    depth--;
    Span place = new Span(from, at);
    if (inner instanceof Several several) {
      return new Several(several.all(), several.items(), true, place);
    }
    return inner instanceof Test test ? test.at(place) : inner;
  }

  /** Reads a test of a field. Returns null if the name is a word of a text. */
  private @Nullable Node testOf(FieldToken named, int from) {
    at = named.end();
    Matcher in = find(IN);
    if (in != null) {
      at = in.end();
      Node values = values(named, from);
      return in.group(1).isEmpty() ? values : new Node.Not(values, values.at());
    }
    if (at < text.length() && text.charAt(at) == ':') {
      at++;
      if (at >= text.length() || isBlank(text.charAt(at))) {
        throw slips.missingValue(from, at);
      }
      if (named.name().equals(EXISTS) || named.name().equals(MISSING)) {
        return existence(named, from);
      }
      return test(named, from);
    }
    slips.checkKeyword(from, at);
    skip();
    Matcher sign = find(SIGN);
    if (sign == null) {
      at = from;
      return null;
    }
    return compared(named, from, sign, true);
  }

  private Node existence(FieldToken named, int from) {
    Names.Found of = Names.fieldAt(text, at).orElse(null);
    if (of == null) {
      throw slips.at(at, "the name of a field is missing here");
    }
    at = of.to();
    Span name = new Span(of.from(), of.to());
    Span place = new Span(from, at);
    Test there = new Test(of.name(), List.of(name), Operator.EXISTS, List.of(), place);
    return named.name().equals(EXISTS) ? there : new Node.Not(there, there.at());
  }

  /** Reads the part after the colon of a field, or a value of it in parentheses. */
  private Node test(FieldToken named, int from) {
    if (text.startsWith("in(", at)) {
      at += "in".length();
    }
    if (text.charAt(at) == '(') {
      return values(named, from);
    }
    Matcher range = find(RANGE);
    if (range != null) {
      at = range.end();
      return lucene(named, from, range);
    }
    Matcher sign = find(SIGN_AFTER_COLON);
    return sign == null ? is(named, from) : compared(named, from, sign, false);
  }

  private Node values(FieldToken named, int from) {
    FieldToken outer = field;
    field = named;
    int start = at++;
    deeper(start);
    Node inner = any();
    skip();
    if (at >= text.length()) {
      throw slips.fixed(start, "this parenthesis is not closed", text + ")");
    }
    at++;
    depth--;
    field = outer;
    Span place = new Span(from, at);
    return inner instanceof Test test
        ? test.at(place)
        : inner instanceof Several several
            ? new Several(several.all(), several.items(), true, place)
            : inner;
  }

  private Node lucene(FieldToken named, int from, Matcher range) {
    Span place = new Span(from, at);
    Value least = new Value(range.group(2), false, new Span(range.start(2), range.end(2)));
    Value most = new Value(range.group(3), false, new Span(range.start(3), range.end(3)));
    Operator begins = range.group(1).equals("[") ? Operator.AT_LEAST : Operator.OVER;
    Operator ends = range.group(4).equals("]") ? Operator.AT_MOST : Operator.UNDER;
    List<Node> both = new ArrayList<>();
    if (!least.text().equals("*")) {
      both.add(new Test(named.name(), List.of(named.at()), begins, List.of(least), place));
    }
    if (!most.text().equals("*")) {
      both.add(new Test(named.name(), List.of(named.at()), ends, List.of(most), place));
    }
    return both.isEmpty()
        ? new Test(named.name(), List.of(named.at()), Operator.EXISTS, List.of(), place)
        : both.size() == 1 ? both.get(0) : new Several(true, List.copyOf(both), true, place);
  }

  /** Reads the value after a sign of comparison; {@code isFirst} if no colon precedes the sign. */
  private Node compared(FieldToken named, int from, Matcher sign, boolean isFirst) {
    at = sign.end();
    if (isFirst) {
      skip();
    }
    if (isFirst
        && sign.group().matches("==?|!=|<>")
        && at < text.length()
        && text.charAt(at) == '(') {
      Node values = values(named, from);
      return sign.group().startsWith("=") ? values : new Node.Not(values, values.at());
    }
    Value value = value(from);
    Span place = new Span(from, at);
    Operator operator =
        switch (sign.group()) {
          case ">" -> Operator.OVER;
          case ">=" -> Operator.AT_LEAST;
          case "<" -> Operator.UNDER;
          case "<=" -> Operator.AT_MOST;
          case "=~", "!~", "~" -> Operator.MATCHES;
          default -> isFirst ? Operator.IS : Operator.EXACTLY;
        };
    if (value.text().isEmpty() && !value.isQuoted()) {
      throw slips.missingValue(from, at);
    }
    slips.checkSign(sign.start(), sign.group(), value);
    boolean isWhole = sign.group().equals("=~") || isFirst && sign.group().equals("!~");
    Value wanted =
        operator == Operator.MATCHES && isWhole
            ? new Value("^(?:" + value.text() + ")$", true, value.at())
            : value;
    Test test = new Test(named.name(), List.of(named.at()), operator, List.of(wanted), place);
    boolean isNot = sign.group().startsWith("!") || sign.group().equals("<>");
    return isNot ? new Node.Not(test, place) : test;
  }

  private Node is(FieldToken named, int from) {
    Value value = value(from);
    Span place = new Span(from, at);
    if (value.text().isEmpty() && !value.isQuoted()) {
      throw slips.missingValue(from, at);
    }
    if (value.text().equals("*") && !value.isQuoted()) {
      return new Test(named.name(), List.of(named.at()), Operator.EXISTS, List.of(), place);
    }
    int dots = value.isQuoted() ? -1 : value.text().indexOf("..");
    if (dots >= 0 && Literals.isRange(value.text(), dots)) {
      Span whole = value.at();
      Value least =
          new Value(
              value.text().substring(0, dots), false, new Span(whole.from(), whole.from() + dots));
      Value most =
          new Value(
              value.text().substring(dots + 2),
              false,
              new Span(whole.from() + dots + 2, whole.to()));
      return new Test(
          named.name(), List.of(named.at()), Operator.RANGE, List.of(least, most), place);
    }
    return new Test(named.name(), List.of(named.at()), Operator.IS, List.of(value), place);
  }

  private Node word(int from) {
    String word = bare();
    Span place = new Span(from, at);
    if (word.isEmpty()) {
      throw slips.at(from, "something is missing here");
    }
    if (TypedFilter.isId(word)) {
      Value id = new Value(word, true, place);
      return new Test(FieldName.ID, List.of(), Operator.IS, List.of(id), place);
    }
    String words = slips.plainWord(from, at, word);
    String plain = Value.plain(words);
    return plain.isEmpty()
        ? new Node.Anything(place)
        : new Node.Words(words.endsWith("*") ? plain : Node.Words.whole(plain), place);
  }

  /**
   * Reads a word or sign that joins, if there is one.
   *
   * @param before the part before it; null for a word that negates
   */
  private boolean joins(String word, String sign, @Nullable Node before) {
    skip();
    int from = at;
    if (text.startsWith(sign, from) && (!sign.equals("!") || isNegation(from))) {
      at += sign.length();
      return true;
    }
    int end = from + word.length();
    if (!text.regionMatches(true, from, word, 0, word.length())
        || end < text.length() && !isBlank(text.charAt(end)) && text.charAt(end) != '(') {
      return false;
    }
    at = end;
    boolean isCapital = text.startsWith(word, from);
    if (isCapital || field != null || before != null && before.isTest()) {
      return true;
    }
    skip();
    boolean isBeforeTest =
        Names.fieldAt(text, at).filter(found -> isTestFrom(found.to())).isPresent();
    at = isBeforeTest ? end : from;
    return isBeforeTest;
  }

  private boolean isNegation(int from) {
    return from + 1 < text.length() && "=~ ".indexOf(text.charAt(from + 1)) < 0;
  }

  private boolean isTestFrom(int end) {
    return end < text.length()
        && (text.charAt(end) == ':'
            || SIGN.matcher(text.substring(end).stripLeading()).lookingAt());
  }
}
