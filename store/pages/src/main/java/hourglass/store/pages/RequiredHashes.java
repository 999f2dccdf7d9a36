package hourglass.store.pages;

import static java.util.Objects.requireNonNull;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.WordReader;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The hashes that the filter of a page must contain: one of each array. They are those of the
 * values, words and texts that a {@link FieldFilter} requires.
 *
 * <pre>
 *   a == "x y"               [a: x y; a by words; a: any], [a: x y; a: any; x], [a: x y; a: any; y]
 *   the word refused         [refused; words left out]
 *   "connection refused by"  [refused; words left out]: the first and last may be parts of words
 *   "4bf92f35"               [4bf92f35; words left out; 8 digits or more inside of a word]
 *   "a b c" or a backslash   [b; words left out; escapes]
 * </pre>
 *
 * Immutable.
 *
 * @param filter the filter that requires them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RequiredHashes(FieldFilter filter, long[][] hashes) {
  /**
   * The most words of a value or text, or of those sought, that are required. The longest are the
   * rarest; the others are judged where a page is read.
   */
  private static final int WORDS_MAX = 8;

  static RequiredHashes of(FieldFilter filter) {
    Set<Set<Long>> all = new LinkedHashSet<>();
    filter.required().forEach(oneOf -> addValues(oneOf, all));
    words(filter.words()).forEach(word -> all.add(new LinkedHashSet<>(word)));
    filter.texts().forEach(oneOf -> addTexts(oneOf, all));
    return new RequiredHashes(
        filter,
        all.stream()
            .map(hashes -> hashes.stream().mapToLong(Long::longValue).toArray())
            .toArray(long[][]::new));
  }

  /** Adds the hashes of the values, and those that stand for values without a hash. */
  private static void addValues(List<FieldValue> oneOf, Set<Set<Long>> all) {
    Set<Long> values = new LinkedHashSet<>();
    oneOf.forEach(value -> values.add(ValueHash.of(value)));
    oneOf.forEach(value -> values.add(ValueHash.other(ValueHash.key(value))));
    List<FieldValue> byWords = oneOf.stream().filter(RequiredHashes::mayBeByWords).toList();
    Set<Long> first = new LinkedHashSet<>(values);
    byWords.forEach(value -> first.add(ValueHash.byWords(ValueHash.key(value))));
    all.add(first);
    if (byWords.isEmpty()) {
      return;
    }
    for (Collection<Long> words : ofEither(byWords.stream().map(RequiredHashes::words).toList())) {
      Set<Long> valueOrWord = new LinkedHashSet<>(values);
      valueOrWord.addAll(words);
      all.add(valueOrWord);
    }
  }

  /** Whether the words of a value may stand for it: those of strings and whole numbers do. */
  private static boolean mayBeByWords(FieldValue value) {
    BigDecimal number = value.number();
    return value.text() != null
        || number != null
            && number.stripTrailingZeros().scale() <= 0
            && number.precision() - number.scale() <= ValueHash.WHOLE_DIGITS_MAX;
  }

  /** Returns the hashes of the words that stand for a value, the longest word first. */
  private static List<List<Long>> words(FieldValue value) {
    BigDecimal number = value.number();
    String text = number == null ? value.text() : number.abs().toBigInteger().toString();
    byte[] bytes = requireNonNull(text).getBytes(StandardCharsets.UTF_8);
    List<Word> words = new ArrayList<>();
    WordReader reader = new WordReader();
    for (reader.reset(bytes, 0, bytes.length, false); reader.next(); ) {
      words.add(new Word(reader.length(), WordHash.ofValue(reader.word(), 0, reader.length())));
    }
    return longest(words);
  }

  private static void addTexts(List<ByteSearch> oneOf, Set<Set<Long>> all) {
    ofEither(oneOf.stream().map(RequiredHashes::words).toList())
        .forEach(words -> all.add(new LinkedHashSet<>(words)));
  }

  private static List<List<Long>> words(List<String> folded) {
    List<Word> words = new ArrayList<>();
    for (String word : folded) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      words.add(new Word(bytes.length, WordHash.alternatives(bytes, 0, bytes.length)));
    }
    return longest(words);
  }

  /** Returns the words that bytes with a text contain, and the mark for a backslash. */
  private static List<List<Long>> words(ByteSearch search) {
    byte[] text = search.text();
    List<Word> words = new ArrayList<>();
    WordReader reader = new WordReader();
    boolean isFirst = true;
    for (reader.reset(text, 0, text.length, false); reader.next(); isFirst = false) {
      boolean begins = !isFirst || hasAscii(text, reader.start());
      boolean ends = reader.end() < text.length && text[reader.end()] >= 0;
      List<Long> hashes =
          begins && ends
              ? WordHash.alternatives(reader.word(), 0, reader.length())
              : WordHash.ofPart(reader.word(), 0, reader.length());
      if (hashes != null) {
        words.add(new Word(reader.length(), hashes));
      }
    }
    if (ByteWords.find((byte) '\\', text, 0, text.length) >= 0) {
      words.add(new Word(1, List.of(WordHash.ESCAPES)));
    }
    return longest(words);
  }

  private record Word(int length, List<Long> hashes) {}

  private static List<List<Long>> longest(List<Word> words) {
    return words.stream()
        .sorted(Comparator.comparing(Word::length).reversed())
        .limit(WORDS_MAX)
        .map(Word::hashes)
        .toList();
  }

  /** Whether a character that ends every word is before a position. */
  private static boolean hasAscii(byte[] text, int end) {
    for (int at = 0; at < end; at++) {
      if (text[at] >= 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the words that are required if those of one of several texts are: all words of a single
   * text, or the longest of each.
   */
  private static List<? extends Collection<Long>> ofEither(List<List<List<Long>>> texts) {
    if (texts.size() == 1) {
      return texts.get(0);
    }
    if (texts.stream().anyMatch(List::isEmpty)) {
      return List.of();
    }
    Set<Long> longest = new LinkedHashSet<>();
    texts.forEach(words -> longest.addAll(words.get(0)));
    return List.of(longest);
  }
}
