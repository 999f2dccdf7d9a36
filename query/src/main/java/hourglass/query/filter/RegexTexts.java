package hourglass.query.filter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Derives lists of texts from a regular expression of RE2. Each match of the expression contains
 * one text of each list.
 *
 * <pre>
 *   connection (refused|reset) by \d+      [connection ], [refused, reset], [ by ]
 *   (?i)time-?out                          [time], [out], in any case
 *   a|.*                                   nothing
 * </pre>
 *
 * It knows the usual syntax, and gives up at the rest. Used by one thread.
 */
public final class RegexTexts {
  /** The most alternatives of a list. A longer list excludes few pages. */
  private static final int ALTERNATIVES_MAX = 16;

  /** The most lists of an expression; the further ones are left out. */
  private static final int LISTS_MAX = 16;

  private static final int GROUPS_MAX = 50;

  /** Escapes of classes and of places in a text. */
  private static final String CLASSES_AND_PLACES = "dDwWsSbBAz";

  /** Escapes of control characters. */
  private static final String CONTROLS = "nrtfva";

  private final String regex;
  private int at;
  private int depth;

  /** Whether the expression has a part that is not known here. */
  private boolean isUnknown;

  /**
   * The texts that an expression needs.
   *
   * @param lists the lists; of each, a match contains one text
   * @param ignoreCase whether the texts may have any case
   */
  public record Needed(List<List<String>> lists, boolean ignoreCase) {}

  private RegexTexts(String regex, int from) {
    this.regex = regex;
    at = from;
  }

  /** Returns the texts that every match contains; no lists if they are not known. */
  public static Needed of(String regex) {
    int from = 0;
    boolean ignoreCase = false;
    while (regex.startsWith("(?i)", from) || regex.startsWith("(?s)", from)) {
      ignoreCase |= regex.charAt(from + 2) == 'i';
      from += "(?i)".length();
    }
    RegexTexts parser = new RegexTexts(regex, from);
    List<List<String>> lists = parser.alternatives();
    boolean isKnown = !parser.isUnknown && parser.at == regex.length();
    return new Needed(isKnown ? lists : List.of(), ignoreCase);
  }

  private boolean isAt(char c) {
    return at < regex.length() && regex.charAt(at) == c;
  }

  private List<List<String>> alternatives() {
    List<List<List<String>>> all = new ArrayList<>();
    all.add(sequence());
    while (isAt('|') && !isUnknown) {
      at++;
      all.add(sequence());
    }
    return all.size() == 1 ? all.get(0) : either(all);
  }

  /** Returns the list of one text of each alternative: its longest list. */
  public static List<List<String>> either(List<List<List<String>>> all) {
    List<String> texts = new ArrayList<>();
    for (List<List<String>> lists : all) {
      Optional<List<String>> longest =
          lists.stream().max(Comparator.comparingInt(RegexTexts::shortest));
      if (longest.isEmpty()) {
        return List.of();
      }
      texts.addAll(longest.get());
    }
    return texts.size() > ALTERNATIVES_MAX ? List.of() : List.of(texts);
  }

  private static int shortest(List<String> texts) {
    return texts.stream().mapToInt(String::length).min().orElse(0);
  }

  /** Reads up to the end of an alternative. */
  private List<List<String>> sequence() {
    List<List<String>> lists = new ArrayList<>();
    StringBuilder run = new StringBuilder();
    while (at < regex.length() && !isAt('|') && !isAt(')') && !isUnknown) {
      int from = at;
      int literal = literal();
      List<List<String>> ofGroup = literal >= 0 ? List.of() : other();
      int least = repeats();
      boolean isRepeated = least != 1;
      if (literal < 0 || isRepeated && least == 0) {
        end(run, lists);
      }
      if (literal >= 0 && least > 0) {
        run.appendCodePoint(literal);
        if (isRepeated) {
          end(run, lists);
        }
      } else if (least > 0) {
        lists.addAll(ofGroup);
      }
      isUnknown |= at == from;
    }
    end(run, lists);
    return lists.size() > LISTS_MAX ? lists.subList(0, LISTS_MAX) : lists;
  }

  private static void end(StringBuilder run, List<List<String>> lists) {
    if (run.length() > 0) {
      lists.add(List.of(run.toString()));
      run.setLength(0);
    }
  }

  /** Reads a character that stands for itself; -1 if another part follows. */
  private int literal() {
    int c = regex.codePointAt(at);
    if (c == '\\' && at + 1 < regex.length()) {
      int escaped = regex.codePointAt(at + 1);
      if (escaped >= 0x80 || Character.isLetterOrDigit(escaped)) {
        return -1;
      }
      at += 2;
      return escaped;
    }
    if (".^$[(\\*+?".indexOf(c) >= 0) {
      return -1;
    }
    at += Character.charCount(c);
    return c;
  }

  /** Reads a part other than a character, and returns the texts that it needs. */
  private List<List<String>> other() {
    char c = regex.charAt(at);
    switch (c) {
      case '.', '^', '$' -> at++;
      case '[' -> skipClass();
      case '(' -> {
        return group();
      }
      case '\\' -> {
        char escaped = at + 1 < regex.length() ? regex.charAt(at + 1) : 'Q';
        isUnknown |= (CLASSES_AND_PLACES + CONTROLS).indexOf(escaped) < 0;
        at += 2;
      }
      default -> isUnknown = true;
    }
    return List.of();
  }

  private void skipClass() {
    at++;
    at += isAt('^') ? 1 : 0;
    at += isAt(']') ? 1 : 0;
    while (at < regex.length() && !isAt(']')) {
      if (isAt('\\')) {
        isUnknown |= regex.startsWith("\\Q", at);
        at++;
      } else if (regex.startsWith("[:", at)) {
        int end = regex.indexOf(":]", at);
        at = end < 0 ? regex.length() : end + 1;
      }
      at++;
    }
    isUnknown |= !isAt(']');
    at++;
  }

  private List<List<String>> group() {
    at++;
    if (isAt('?')) {
      at = afterName();
    }
    isUnknown |= ++depth > GROUPS_MAX;
    List<List<String>> of = isUnknown ? List.of() : alternatives();
    depth--;
    isUnknown |= !isAt(')');
    at++;
    return of;
  }

  /** Returns the position after the sign of a group that only groups, or has a name. */
  private int afterName() {
    if (regex.startsWith("?:", at)) {
      return at + 2;
    }
    int end = regex.indexOf('>', at);
    boolean isNamed = regex.startsWith("?P<", at) || regex.startsWith("?<", at);
    isUnknown |= !isNamed || end < 0;
    return end + 1;
  }

  /**
   * Reads how often the part before is repeated, and returns the least number: 1 if it is there
   * once, and more or 0 otherwise.
   */
  private int repeats() {
    if (at >= regex.length()) {
      return 1;
    }
    int least;
    switch (regex.charAt(at)) {
      case '*', '?' -> {
        least = 0;
        at++;
      }
      case '+' -> {
        least = 2; // once or more: a text ends here
        at++;
      }
      case '{' -> least = counted();
      default -> {
        return 1;
      }
    }
    at += isAt('?') ? 1 : 0;
    return least;
  }

  private int counted() {
    int end = regex.indexOf('}', at);
    String counts = end < 0 ? "" : regex.substring(at + 1, end);
    if (!counts.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
      isUnknown = true;
      return 0;
    }
    at = end + 1;
    return Stream.of(counts.split(",")).findFirst().map(Integer::valueOf).orElse(0) > 0 ? 2 : 0;
  }
}
