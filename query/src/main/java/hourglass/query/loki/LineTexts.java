package hourglass.query.loki;

import hourglass.bytes.ByteSearch;
import hourglass.query.logql.Stage.LineFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The texts for which the store can search payloads, of all line filters of a query. */
final class LineTexts {
  /**
   * All characters except those that no writer of JSON escapes, and that do not occur between two
   * tokens.
   */
  private static final Pattern NOT_PLAIN = Pattern.compile("[^a-zA-Z0-9 _.()#*!@$%~^?;|-]+");

  /** A character next to which a blank may be a line break in the payload. */
  private static final Pattern BETWEEN_TOKENS = Pattern.compile("[,:{}\\[\\]]");

  /** A character at which a line that was pushed as an object may have been divided. */
  private static final Pattern BREAK = Pattern.compile("[ ,{}]");

  /** A text that each matching payload contains. */
  private String plain = "";

  /** A text that each matching payload without escapes contains. */
  private String unescaped = "";

  /**
   * Adds the text of a line filter. The store searches for the longest text, and for the longest
   * that may be escaped.
   */
  void add(LineFilter filter) {
    if (filter.operator() != LineFilter.Operator.CONTAINS || filter.texts().size() != 1) {
      return;
    }
    String wanted = filter.texts().get(0);
    plain = longest(plain, NOT_PLAIN.splitAsStream(wanted));
    if (NOT_PLAIN.matcher(wanted).find()) {
      boolean mayBreak = BETWEEN_TOKENS.matcher(wanted).find();
      unescaped = longest(unescaped, mayBreak ? BREAK.splitAsStream(wanted) : Stream.of(wanted));
    }
  }

  private static String longest(String known, Stream<String> others) {
    return others.map(String::strip).reduce(known, (a, b) -> b.length() > a.length() ? b : a);
  }

  /**
   * Returns lists of texts: a matching payload contains one text of each. A payload that contains
   * no escape contains the unescaped text.
   */
  List<List<ByteSearch>> required() {
    List<List<ByteSearch>> all = new ArrayList<>();
    if (!unescaped.isEmpty()) {
      all.add(List.of(bytes(unescaped), bytes("\\")));
    }
    if (!plain.isEmpty()) {
      all.add(List.of(bytes(plain)));
    }
    return all;
  }

  private static ByteSearch bytes(String text) {
    return new ByteSearch(text.getBytes(StandardCharsets.UTF_8), false);
  }
}
