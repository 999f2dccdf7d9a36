package hourglass.store.pages.hashes;

import static java.util.Objects.requireNonNull;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.WordReader;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import hourglass.store.SoughtWord;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hashes that a page must contain: one of each list. They are those of the values, words and
 * texts that a {@link FieldFilter} requires.
 *
 * <pre>
 *   a == "x y"               [a: x y; a by words; a: any], [a: x y; a: any; x], [a: x y; a: any; y]
 *   the word refused         [refused; words left out]
 *   "connection refused by"  [refused; words left out], [a word that ends with connection; ...],
 *                            [a word that begins with by; ...]
 *   "4bf92f35"               [4bf92f35; words left out; 8 digits or more inside of a word]
 *   "a b c" or a backslash   [b; words left out; escapes]
 * </pre>
 *
 * Immutable.
 *
 * @param filter the filter that requires them
 * @param all the lists
 */
public record RequiredHashes(FieldFilter filter, List<OneOf> all) {
  /**
   * The most words of a value or text, or of those sought, that are required. The longest are the
   * rarest; the others are judged where a page is read.
   */
  private static final int WORDS_MAX = 8;

  /**
   * The most lists with parts of words, and the most parts of all these lists. The search for a
   * part in a dictionary may take a millisecond.
   */
  private static final int LISTS_WITH_PARTS_MAX = 8;

  private static final int PARTS_MAX = 64;

  private static final ByteSearch UNICODE_ESCAPE =
      new ByteSearch("\\u".getBytes(StandardCharsets.US_ASCII), false);

  /** The word that is required if one of no texts is: no page contains it. */
  private static final Word NONE = new Word(0, List.of(), List.of());

  /**
   * The alternatives for a page: it must contain one of the hashes, or a word with one of the
   * parts.
   *
   * @param own the hashes; must not be changed
   * @param parts the parts of words, which only a dictionary turns into hashes
   */
  @SuppressWarnings("ArrayRecordComponent") // compared below
  public record OneOf(long[] own, List<WordPart> parts) {
    static OneOf of(Collection<Long> own, Collection<WordPart> parts) {
      return new OneOf(own.stream().mapToLong(Long::longValue).toArray(), List.copyOf(parts));
    }

    /**
     * Returns the hashes besides those of parts, for pages that have only these marks.
     *
     * @param marks as {@link WordList#marks} has them
     */
    public long[] own(long marks) {
      return LongStream.of(own).filter(hash -> !WordHash.isAbsentMark(hash, marks)).toArray();
    }

    /** Returns the hashes of the words that have one of the parts; null if there are too many. */
    public long @Nullable [] ofParts(WordDictionary dictionary) {
      LongStream all = LongStream.empty();
      for (WordPart part : parts) {
        long[] found = dictionary.find(part);
        if (found == null) {
          return null;
        }
        all = LongStream.concat(all, LongStream.of(found));
      }
      return all.toArray();
    }

    private int shortestPart() {
      return parts.stream().mapToInt(part -> part.text().length()).min().orElse(0);
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof OneOf other && Arrays.equals(own, other.own) && parts.equals(other.parts);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(own) + parts.hashCode();
    }
  }

  /** Returns the hashes that a filter requires. */
  public static RequiredHashes of(FieldFilter filter) {
    Set<OneOf> all = new LinkedHashSet<>();
    filter.required().forEach(oneOf -> addValues(oneOf, all));
    List<Word> words =
        filter.words().stream()
            .flatMap(oneOf -> either(oneOf.stream().map(RequiredHashes::words)).stream())
            .toList();
    longest(words).forEach(word -> all.add(word.oneOf()));
    addTexts(filter.texts(), all);
    addTexts(filter.impliedTexts(), all);
    return new RequiredHashes(filter, withFewParts(all));
  }

  /** Returns the lists without parts, and those of the others that tell most. */
  private static List<OneOf> withFewParts(Collection<OneOf> all) {
    List<OneOf> few = new ArrayList<>();
    List<OneOf> withParts = new ArrayList<>();
    all.forEach(oneOf -> (oneOf.parts.isEmpty() ? few : withParts).add(oneOf));
    withParts.sort(Comparator.comparingInt(OneOf::shortestPart).reversed());
    int lists = 0;
    int parts = 0;
    for (OneOf oneOf : withParts) {
      if (lists < LISTS_WITH_PARTS_MAX && parts + oneOf.parts.size() <= PARTS_MAX) {
        few.add(oneOf);
        lists++;
        parts += oneOf.parts.size();
      }
    }
    return List.copyOf(few);
  }

  /** Adds the hashes of the values, and those that stand for values without a hash. */
  private static void addValues(List<FieldValue> oneOf, Set<OneOf> all) {
    Set<Long> values = new LinkedHashSet<>();
    oneOf.forEach(value -> values.add(ValueHash.of(value)));
    oneOf.forEach(value -> values.add(ValueHash.other(ValueHash.key(value))));
    List<FieldValue> byWords = oneOf.stream().filter(RequiredHashes::mayBeByWords).toList();
    Set<Long> first = new LinkedHashSet<>(values);
    byWords.forEach(value -> first.add(ValueHash.byWords(ValueHash.key(value))));
    all.add(OneOf.of(first, List.of()));
    if (byWords.isEmpty()) {
      return;
    }
    for (Word word : either(byWords.stream().map(RequiredHashes::words))) {
      Set<Long> valueOrWord = new LinkedHashSet<>(values);
      valueOrWord.addAll(word.hashes());
      all.add(OneOf.of(valueOrWord, List.of()));
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

  /** Returns the words that stand for a value, the longest first. */
  private static List<Word> words(FieldValue value) {
    BigDecimal number = value.number();
    String text = number == null ? value.text() : number.abs().toBigInteger().toString();
    byte[] bytes = requireNonNull(text).getBytes(StandardCharsets.UTF_8);
    List<Word> words = new ArrayList<>();
    WordReader reader = new WordReader();
    for (reader.reset(bytes, 0, bytes.length, false); reader.next(); ) {
      words.add(
          new Word(
              reader.length(), WordHash.ofValue(reader.word(), 0, reader.length()), List.of()));
    }
    return longest(words);
  }

  private static void addTexts(List<List<ByteSearch>> texts, Set<OneOf> all) {
    texts.forEach(
        oneOf ->
            either(oneOf.stream().map(RequiredHashes::words))
                .forEach(word -> all.add(word.oneOf())));
  }

  /** Returns the hashes of a word that is sought, or the beginning of words. */
  private static List<Word> words(SoughtWord sought) {
    byte[] bytes = sought.text().getBytes(StandardCharsets.UTF_8);
    return List.of(
        sought.mayGoOn()
            ? Word.with(new WordPart(sought.text(), true, false))
            : new Word(bytes.length, WordHash.alternatives(bytes, 0, bytes.length), List.of()));
  }

  /** Returns the words that bytes with a text contain, and the mark for a backslash. */
  private static List<Word> words(ByteSearch search) {
    byte[] text = search.text();
    List<Word> words = new ArrayList<>();
    WordReader reader = new WordReader();
    boolean isFirst = true;
    for (reader.reset(text, 0, text.length, false); reader.next(); isFirst = false) {
      boolean begins = !isFirst || hasAscii(text, reader.start());
      boolean ends = reader.end() < text.length && text[reader.end()] >= 0;
      words.add(word(reader, begins, ends));
    }
    if (ByteWords.find((byte) '\\', text, 0, text.length) >= 0) {
      boolean isUnicode = UNICODE_ESCAPE.find(text, 0, text.length) >= 0;
      words.add(
          new Word(
              1,
              List.of(WordHash.mark(isUnicode ? WordHash.UNICODE_ESCAPES : WordHash.ESCAPES)),
              List.of()));
    }
    return longest(words);
  }

  private static Word word(WordReader reader, boolean begins, boolean ends) {
    byte[] word = reader.word();
    int length = reader.length();
    List<Long> hashes =
        begins && ends ? WordHash.alternatives(word, 0, length) : WordHash.ofPart(word, 0, length);
    return hashes == null
        ? Word.with(new WordPart(new String(word, 0, length, StandardCharsets.UTF_8), begins, ends))
        : new Word(length, hashes, List.of());
  }

  /**
   * A word that is required.
   *
   * @param length its length in bytes, or that of a part
   * @param hashes of which a page must contain one
   * @param parts of which a word of the page may have one instead
   */
  private record Word(int length, List<Long> hashes, List<WordPart> parts) {
    /** Those that tell most come first: whole words, then long ones. */
    static final Comparator<Word> TELLING =
        Comparator.comparing((Word word) -> !word.parts.isEmpty())
            .thenComparing(Word::length, Comparator.reverseOrder());

    static Word with(WordPart part) {
      byte[] bytes = part.bytes();
      return new Word(bytes.length, WordHash.unlisted(bytes), List.of(part));
    }

    /** Returns a requirement that either word satisfies. */
    Word or(Word other) {
      Set<Long> either = new LinkedHashSet<>(hashes);
      either.addAll(other.hashes);
      Set<WordPart> eitherPart = new LinkedHashSet<>(parts);
      eitherPart.addAll(other.parts);
      return new Word(Math.min(length, other.length), List.copyOf(either), List.copyOf(eitherPart));
    }

    OneOf oneOf() {
      return OneOf.of(hashes, parts);
    }
  }

  private static List<Word> longest(List<Word> words) {
    return words.stream().sorted(Word.TELLING).limit(WORDS_MAX).toList();
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
   * text, all of a text or else an escape, or the first of each text, which tells most.
   */
  private static List<Word> either(Stream<List<Word>> texts) {
    List<List<Word>> all = texts.toList();
    if (all.size() == 1) {
      return all.get(0);
    }
    if (all.stream().anyMatch(List::isEmpty)) {
      return List.of();
    }
    if (all.size() == 2) {
      Word second = all.get(1).get(0);
      return all.get(0).stream().map(word -> word.or(second)).toList();
    }
    return all.stream()
        .map(words -> words.get(0))
        .reduce(Word::or)
        .map(List::of)
        .orElse(List.of(NONE));
  }
}
