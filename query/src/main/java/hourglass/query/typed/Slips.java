package hourglass.query.typed;

import hourglass.query.typed.Node.Test;
import hourglass.query.typed.Node.Value;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses texts that resemble a filter but are not one, and proposes a correction: a half-written
 * test, or a part of another query language. Such a text must not become a search.
 */
final class Slips {
  private static final String QUOTE = "put it in quotes to search for the text";

  /** A query of LogQL, such as {@code {app="web"} |= "error"}. */
  private static final Pattern LOGQL = Pattern.compile("\\{\\s*(?:}|[\\w.]+\\s*(?:=~|!=|!~|=))");

  private static final Pattern SQL = Pattern.compile("(?i:select)\\s.*\\s(?i:from)\\s.*");

  /**
   * A keyword of SQL after a field, as in {@code path LIKE '%cart%'}, {@code ms BETWEEN 1 AND 5} or
   * {@code user IS NULL}.
   */
  private static final Pattern KEYWORD =
      Pattern.compile(
          "\\s+(?:(LIKE|BETWEEN|IS NOT NULL|IS NULL|CONTAINS|MATCHES|STARTSWITH)(?![\\w])"
              + "|((?i:like|contains|matches|startswith))\\s*(?=[\"']))");

  private static final Pattern RELATIVE = Pattern.compile("\\[?now\\b");

  private static final Pattern NUMBER_WITH_UNIT =
      Pattern.compile("(\\d[\\d,]*(?:\\.\\d+)?)(?:[A-Za-zµ%]{0,3})");

  private static final Pattern JOIN = Pattern.compile("(?:AND|OR)(?=[\\s()]|$)");

  /** A comparison without a field, such as {@code >500}, {@code 100<ms} or {@code :500}. */
  private static final Pattern WITHOUT_FIELD =
      Pattern.compile("[<>]=?[\\w.-]+|[-+]?[\\d.]+(?:[<>]=?|=)[A-Za-z_].*|:|:[^:].*|\\{\".*");

  /** A range without an end, such as {@code [1} in {@code ms:[1 TO 5}. */
  private static final Pattern OPEN_RANGE = Pattern.compile("[\\[{][^\\]}]*");

  private static final Pattern RANGE_OF_TEXTS =
      Pattern.compile("[-+]?\\d\\S*\\.\\.[-+]?[\\d.]\\S*");

  private static final Pattern SIGNS_IN_WORD =
      Pattern.compile(
          "&&|\\|\\||[=!<>]=|=~|!~|^[=<>|]+$|\\w\\([\"']|^(?:data\\.[\\w.]*|has|size)\\(");

  private final String text;

  Slips(String text) {
    this.text = text;
  }

  FilterException at(int from, String reason) {
    return between(new Span(from, Math.min(text.length(), from + 1)), reason);
  }

  FilterException between(Span at, String reason) {
    return FilterException.of(text, at, reason, null);
  }

  FilterException fixed(int from, String reason, String fix) {
    return FilterException.of(text, new Span(from, from + 1), reason, fix);
  }

  /** Returns a refusal whose fix replaces a part of the filter. */
  private FilterException replaced(Span at, String reason, String instead) {
    String fix = text.substring(0, at.from()) + instead + text.substring(at.to());
    return FilterException.of(text, at, reason, fix);
  }

  void checkOtherLanguages() {
    Matcher logQl = LOGQL.matcher(text).region(blanks(), text.length());
    if (logQl.lookingAt()) {
      int end = text.indexOf('}') + 1;
      throw between(
          new Span(0, Math.max(1, end)),
          "this reads like LogQL, which /loki/api/v1/query_range answers;"
              + " here, write app:web \"some text\"");
    }
    if (SQL.matcher(text).region(blanks(), text.length()).matches()) {
      throw between(
          new Span(0, "select".length()),
          "this reads like SQL; write conditions alone, as in status>=500 level:error");
    }
  }

  private int blanks() {
    return text.length() - text.stripLeading().length();
  }

  /** Refuses {@code AND} and {@code OR} at a place where a test or a text is needed. */
  void checkJoin(int from, boolean joins) {
    Matcher join = JOIN.matcher(text).region(from, text.length());
    if (joins && join.lookingAt()) {
      throw between(new Span(from, join.end()), "something is missing before this");
    }
  }

  /**
   * Refuses other characters than blanks and brackets after the quote that ends a value or a text.
   */
  void checkAfterQuote(int from, int at) {
    if (at < text.length() && " \t\r\n\u00a0),".indexOf(text.charAt(at)) < 0) {
      throw between(
          new Span(from, at),
          text.charAt(at) == ':'
              ? "a field with blanks stands in backticks, as in `odd name`:5"
              : "a blank is missing after this quote");
    }
  }

  /** Refuses a keyword of SQL after a name. */
  void checkKeyword(int from, int at) {
    Matcher matcher = KEYWORD.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      return;
    }
    String field = text.substring(from, at);
    String word = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    String instead =
        switch (word.toUpperCase(Locale.ROOT)) {
          case "BETWEEN" -> field + ":250..500";
          case "IS NULL" -> "-" + field + ":*";
          case "IS NOT NULL" -> field + ":*";
          case "MATCHES" -> field + ":~\"^a.*z$\"";
          case "STARTSWITH" -> field + ":abc*";
          default -> field + ":*abc*";
        };
    throw between(
        new Span(from, matcher.end()), word + " is no word of a filter; write " + instead);
  }

  /** Returns a refusal of a field without a value, such as {@code status:} or {@code status >}. */
  FilterException missingValue(int from, int at) {
    String typed = text.substring(from, at).strip();
    String after = text.substring(at).stripLeading();
    Matcher next = Pattern.compile("[^\\s()]+").matcher(after);
    if (typed.endsWith(":") && after.startsWith("(")) {
      String reason = "no blank stands after the colon of a field";
      return FilterException.of(
          text, new Span(from, at), reason, text.substring(0, from) + typed + after);
    }
    if (typed.endsWith(":") && after.matches("(?s)[^\\s:]+\\s+[^\\s].*") && !after.contains(":")) {
      String reason = "this reads like a sentence, and like a field without its value; " + QUOTE;
      return replaced(new Span(from, text.length()), reason, quoted(text.substring(from).strip()));
    }
    if (typed.endsWith(":") && next.lookingAt()) {
      int end = text.length() - after.length() + next.end();
      String reason = "no blank stands after the colon of a field; or " + QUOTE;
      return replaced(new Span(from, end), reason, typed + next.group());
    }
    return replaced(
        new Span(from, at), "a value is missing after this; or " + QUOTE, quoted(typed));
  }

  private static String quoted(String part) {
    return '"' + part.replaceAll("[\"\\\\]", "\\\\$0") + '"';
  }

  /** Refuses reversed signs of comparison, and values that begin with another sign. */
  void checkSign(int from, String sign, Value value) {
    boolean isTurned = sign.equals("=") && value.text().matches("[<>].*") && !value.isQuoted();
    if (isTurned) {
      String right = value.text().charAt(0) + "=";
      throw replaced(
          new Span(from, from + 2), "write " + right + " for =" + value.text().charAt(0), right);
    }
  }

  void checkValue(int from, int start, String value) {
    Span at = new Span(start, Math.min(text.length(), start + Math.max(1, value.length())));
    if (value.startsWith("|")) {
      throw at(from, "| begins no part of a filter; " + QUOTE);
    }
    if (value.startsWith("!") && value.length() > 1 || value.startsWith("=")) {
      throw between(
          at, "no value begins so; write -" + text.substring(from, start) + "... for all others");
    }
    if (OPEN_RANGE.matcher(value).matches()) {
      throw between(at, "a range is written 250..500 or [250 TO 500]; put texts in quotes");
    }
    if (RANGE_OF_TEXTS.matcher(value).matches()
        && !Literals.isRange(value, value.indexOf(".."))
        && !Literals.isDate(value)) {
      throw between(at, "a range has numbers alone, as in 250..500; put texts in quotes");
    }
  }

  /** Returns the words to search for, in which {@code *} may be the last; empty for every event. */
  String plainWord(int from, int to, String word) {
    if (text.startsWith("*:", from)) {
      return plainWord(from + 2, to, word.substring(2));
    }
    if (word.equals("|") && from > 0) {
      throw between(
          new Span(from, text.length()),
          "a filter has no stages after |; count and group by other means, as hourglass top does");
    }
    boolean isEscaped = !text.startsWith(word.substring(0, 1), from);
    if (!isEscaped && WITHOUT_FIELD.matcher(word).matches()) {
      throw replaced(
          new Span(from, to),
          "the name of a field stands before : or a sign, without a blank; or " + QUOTE,
          quoted(text.substring(from, to)));
    }
    Matcher signs = SIGNS_IN_WORD.matcher(word);
    if (signs.find()) {
      throw replaced(
          new Span(from, to),
          word + " reads like a part of a filter and is none; " + QUOTE,
          quoted(text.substring(from, to)));
    }
    String plain = word.replaceFirst("\\*+$", "");
    if (plain.indexOf('*') >= 0) {
      throw replaced(
          new Span(from, to),
          "* stands at the end of a word, as in dead*; " + QUOTE,
          quoted(text.substring(from, to)));
    }
    return plain.isEmpty() || plain.length() == word.length() ? plain : plain + "*";
  }

  FilterException unordered(Test test, Operator operator, Value value) {
    if (RELATIVE.matcher(value.text()).lookingAt()) {
      return between(
          value.at(),
          "no time stands beside now here; the range is chosen by from and to, as --since 15m or the"
              + " page's range does");
    }
    Matcher number = NUMBER_WITH_UNIT.matcher(value.text());
    if (number.matches()) {
      String plain = number.group(1).replace(",", "");
      return replaced(
          value.at(), "\"" + value.text() + "\" is no number; write it without unit", plain);
    }
    String asText = test.field() + operatorText(operator) + quoted(value.text());
    return FilterException.of(
        text,
        value.at(),
        "\"%s\" is no number; write %s to compare texts, or %s"
            .formatted(value.text(), asText, QUOTE),
        null);
  }

  private static String operatorText(Operator operator) {
    return operator == Operator.RANGE ? ":" : operator.sign();
  }

  FilterException withoutZone(Test test, Value value) {
    return replaced(
        value.at(),
        test.field() + ": a time needs a zone, as in 2026-11-20T08:30+01:00 or 2026-11-20Z for UTC",
        value.text() + "Z");
  }

  FilterException noTime(Test test, Value value) {
    return between(
        value.at(),
        "\"" + value.text() + "\" is no time; write one as in time:>=2026-11-20T08:30Z");
  }
}
