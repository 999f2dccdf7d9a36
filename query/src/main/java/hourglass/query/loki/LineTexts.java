package hourglass.query.loki;

import hourglass.bytes.ByteSearch;
import hourglass.query.filter.PayloadSearch;
import hourglass.query.filter.RegexTexts;
import hourglass.query.filter.RequiredTexts;
import hourglass.query.logql.Stage.LineFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The texts for which the store can search payloads, of all line filters of a query. */
final class LineTexts {
  private static final ByteSearch BACKSLASH = new ByteSearch(new byte[] {'\\'}, false);

  /**
   * All characters except those that no writer of JSON escapes, and that do not occur between two
   * tokens.
   */
  private static final Pattern NOT_PLAIN = Pattern.compile("[^a-zA-Z0-9 _.()#*!@$%~^?;|-]+");

  /** A character next to which a blank may be a line break in the payload. */
  private static final Pattern BETWEEN_TOKENS = Pattern.compile("[,:{}\\[\\]]");

  /** A character at which a line that was pushed as an object may have been divided. */
  private static final Pattern BREAK = Pattern.compile("[ ,{}]");

  /**
   * The texts, one of which stands in each matching payload, unless it spells a character by its
   * number; null if there are none.
   */
  private @Nullable List<ByteSearch> plain;

  /** The texts, one of which stands in each matching payload without escapes; null if none. */
  private @Nullable List<ByteSearch> unescaped;

  /**
   * Adds the texts of a line filter. The store searches for the longest text, and for the longest
   * that may be escaped.
   */
  void add(LineFilter filter) {
    if (filter.operator().isNegative()) {
      return;
    }
    List<RegexTexts.Needed> each =
        filter.texts().stream()
            .map(text -> filter.operator().isRegex() ? RegexTexts.of(text) : whole(text))
            .toList();
    if (each.size() == 1) {
      each.get(0).lists().forEach(list -> add(list, each.get(0).ignoreCase()));
    } else if (each.stream().noneMatch(RegexTexts.Needed::ignoreCase)) {
      RegexTexts.either(each.stream().map(RegexTexts.Needed::lists).toList())
          .forEach(list -> add(list, false));
    }
  }

  private static RegexTexts.Needed whole(String text) {
    return new RegexTexts.Needed(text.isEmpty() ? List.of() : List.of(List.of(text)), false);
  }

  /** Adds a list of texts, of which each matching line contains one. */
  private void add(List<String> oneOf, boolean ignoreCase) {
    plain = longer(plain, searches(oneOf, LineTexts::plainParts, ignoreCase));
    if (oneOf.stream().anyMatch(text -> NOT_PLAIN.matcher(text).find())) {
      unescaped = longer(unescaped, searches(oneOf, LineTexts::unescapedParts, ignoreCase));
    }
  }

  private static Stream<String> plainParts(String text) {
    return NOT_PLAIN.splitAsStream(text);
  }

  private static Stream<String> unescapedParts(String text) {
    return BETWEEN_TOKENS.matcher(text).find() ? BREAK.splitAsStream(text) : Stream.of(text);
  }

  /** Returns searches for the longest part of each text; null if a text has no part. */
  private static @Nullable List<ByteSearch> searches(
      List<String> texts, Function<String, Stream<String>> parts, boolean ignoreCase) {
    List<ByteSearch> searches = new ArrayList<>();
    for (String text : texts) {
      ByteSearch search = PayloadSearch.longest(parts.apply(text).map(String::strip), ignoreCase);
      if (search == null) {
        return null;
      }
      searches.add(search);
    }
    return searches;
  }

  /** Returns the list whose shortest text is longer. */
  private static @Nullable List<ByteSearch> longer(
      @Nullable List<ByteSearch> known, @Nullable List<ByteSearch> other) {
    return known == null || other != null && shortest(other) > shortest(known) ? other : known;
  }

  private static int shortest(List<ByteSearch> searches) {
    return searches.stream().mapToInt(ByteSearch::length).min().orElse(0);
  }

  /**
   * Returns lists of texts: a matching payload contains one text of each. A payload that contains
   * no escape contains the unescaped text, and one that spells no character by its number the plain
   * one.
   */
  List<List<ByteSearch>> required() {
    List<List<ByteSearch>> all = new ArrayList<>();
    if (unescaped != null) {
      all.add(with(unescaped, BACKSLASH));
    }
    if (plain != null) {
      all.add(with(plain, RequiredTexts.UNICODE_ESCAPE));
    }
    return all;
  }

  private static List<ByteSearch> with(List<ByteSearch> texts, ByteSearch escape) {
    return Stream.concat(texts.stream(), Stream.of(escape)).toList();
  }
}
