package hourglass.store.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonTexts;
import hourglass.bytes.WordReader;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.SoughtWord;
import hourglass.store.TextFilter;
import hourglass.store.pages.FilteredPageTest.EqualField;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter or index entries of a page contain each word of its payloads. */
class WordPageTest {
  private static final int ROUNDS = Tier.length(60, 500, 1_500);
  private static final int COLUMNS = 400;

  /** The least hexadecimal digits in words that have marks. */
  private static final int HEX_MIN = 8;

  private final PageCodec codec = new PageCodec();
  private final PageIndex indexed = new PageIndex();

  @AfterEach
  void close() {
    codec.close();
  }

  @Test
  void aPageIsFoundByEachOfItsWords() {
    Random random = Seed.random(this);
    int ruledOut = 0;
    int begunRuledOut = 0;
    for (int n = 0; n < ROUNDS; n++) {
      Columns columns =
          switch (n % 3) {
            case 0 -> FilteredPageTest.awkward(random);
            case 1 -> new RandomColumns(random.nextLong()).next(300);
            default -> RandomColumns.of(COLUMNS, i -> event(i, random).getBytes(UTF_8));
          };
      byte[] page = codec.encode(columns);
      byte[] other = indexed.encode(codec, columns);
      Set<String> words = words(columns);
      for (String word : words) {
        FieldFilter filter = TextFilter.ofWords(word);
        assertThat(codec.mayMatch(PageBytes.of(page), filter)).as("filter: %s", word).isTrue();
        assertThat(codec.mayMatch(PageBytes.of(other), filter)).as("other: %s", word).isTrue();
        assertThat(indexed.isEmpty() || indexed.mayMatch(codec, filter))
            .as("index: %s", word)
            .isTrue();
        int end =
            word.offsetByCodePoints(0, 1 + random.nextInt(word.codePointCount(0, word.length())));
        FieldFilter beginning = beginning(word.substring(0, end));
        assertThat(codec.mayMatch(PageBytes.of(page), beginning)).as("filter: %s", word).isTrue();
        assertThat(indexed.isEmpty() || indexed.mayMatch(codec, beginning))
            .as("index: %s", word)
            .isTrue();
      }
      begunRuledOut += indexed.mayMatch(codec, beginning("xylo")) ? 0 : 1;
      for (String word : List.of("absent", "0badc0de0badc0de", "12345678901234567890", "cart")) {
        FieldFilter filter = TextFilter.ofWords(word);
        ruledOut += words.contains(word) || indexed.mayMatch(codec, filter) ? 0 : 1;
      }
    }
    assertThat(ruledOut).isGreaterThan(ROUNDS);
    assertThat(begunRuledOut).isGreaterThan(ROUNDS / 3);
  }

  private static FieldFilter beginning(String word) {
    return new TextFilter(List.of(), List.of(), List.of(List.of(new SoughtWord(word, true))));
  }

  /** Each run of characters of a payload is found, in the case that it has or in any. */
  @Test
  void aPageIsFoundByEachPartOfItsPayloads() {
    Random random = Seed.random(this);
    int ruledOut = 0;
    int partsRuledOut = 0;
    for (int n = 0; n < ROUNDS; n++) {
      int digits = (HEX_MIN << n % 3) - 1;
      Columns columns =
          switch (n % 4) {
            case 0 -> FilteredPageTest.awkward(random);
            case 1 -> RandomColumns.of(COLUMNS, i -> digitsInWords(digits, random).getBytes(UTF_8));
            default -> RandomColumns.of(COLUMNS, i -> longWords(i, random).getBytes(UTF_8));
          };
      byte[] page = codec.encode(columns);
      byte[] other = indexed.encode(codec, columns);
      for (int m = 0; m < COLUMNS; m++) {
        String payload = new String(columns.payload(random.nextInt(columns.size())), UTF_8);
        int from = random.nextInt(payload.length());
        int length = 1 + random.nextInt(random.nextBoolean() ? 20 : 200);
        String part = payload.substring(from, Math.min(payload.length(), from + length));
        boolean ignoresCase = random.nextBoolean();
        String text = ignoresCase && random.nextBoolean() ? part.toUpperCase(Locale.ROOT) : part;
        if (text.isBlank() || !text.equalsIgnoreCase(part)) {
          continue;
        }
        FieldFilter filter = new TextFilter(new ByteSearch(text.getBytes(UTF_8), ignoresCase));
        assertThat(codec.mayMatch(PageBytes.of(page), filter)).as("filter: %s", text).isTrue();
        assertThat(codec.mayMatch(PageBytes.of(other), filter)).as("other: %s", text).isTrue();
        assertThat(indexed.isEmpty() || indexed.mayMatch(codec, filter))
            .as("index: %s", text)
            .isTrue();
        byte[] changed = ("-" + text.replace('e', 'q') + "-").getBytes(UTF_8);
        FieldFilter absent = new TextFilter(new ByteSearch(changed, false));
        ruledOut += indexed.mayMatch(codec, absent) ? 0 : 1;
        byte[] inside = text.replace('e', 'q').getBytes(UTF_8);
        FieldFilter openPart = new TextFilter(new ByteSearch(inside, false));
        partsRuledOut += indexed.mayMatch(codec, openPart) ? 0 : 1;
      }
    }
    assertThat(ruledOut).isGreaterThan(ROUNDS);
    assertThat(partsRuledOut).isGreaterThan(ROUNDS);
  }

  private static String longWords(int i, Random random) {
    String hex = new UUID(random.nextLong(), random.nextLong()).toString().replace("-", "");
    String digits = hex.repeat(9).substring(0, 120 + random.nextInt(12));
    String id = random.nextBoolean() ? digits.toUpperCase(Locale.ROOT) : digits;
    return """
    {"id":"%s","sum":"sha%s_","uuid":"%s","n":%d,"m":%d,"text":"caf\\u00e9 \\"%d\\" of\\n%x in É%d \u63a5\u63a5","a":%s}"""
        .formatted(
            id,
            id,
            new UUID(random.nextLong(), random.nextLong()),
            1_000_000_000_000_000_000L + (random.nextLong() >>> 6),
            -(random.nextLong() >>> 1 + random.nextInt(60)),
            i,
            random.nextLong(),
            random.nextInt(),
            event(i, random));
  }

  /** No word is an id as a whole, whose marks could stand for others. */
  private static String digitsInWords(int digitsMax, Random random) {
    return "{\"m\":\"to %s by %s\"}"
        .formatted(wordWithDigits(digitsMax, random), wordWithDigits(digitsMax, random));
  }

  private static String wordWithDigits(int digitsMax, Random random) {
    int digits = random.nextBoolean() ? digitsMax : 1 + random.nextInt(digitsMax);
    String id = "%016x".formatted(random.nextLong()).repeat(2).substring(0, digits);
    int before = random.nextInt(3);
    int after = before == 0 ? 1 + random.nextInt(2) : random.nextInt(3);
    return "inv".substring(3 - before) + id + "xyz".substring(0, after);
  }

  /** Whole numbers of more digits than a value has in a page are found as any value is. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        100_000_000_000_000_000L,
        -100_000_000_000_000_000L,
        999_999_999_000_000_000L,
        1_000_000_000_000_000_000L,
        -1_000_000_000_000_000_000L
      })
  void longNumbersAreFoundByTheirValue(long first) {
    Random random = Seed.random(this);
    long[] numbers = random.longs(COLUMNS, first, first + 500_000_000_000_000L).toArray();
    numbers[0] = first + 999_999_999L;
    numbers[1] = first;
    Columns columns =
        RandomColumns.of(COLUMNS, i -> "{\"n\":%d}".formatted(numbers[i]).getBytes(UTF_8));
    byte[] page = codec.encode(columns);
    indexed.encode(codec, columns);
    assertThat(indexed.isEmpty()).isFalse();
    for (long number : numbers) {
      FieldFilter filter = EqualField.of(BigDecimal.valueOf(number), "n");
      assertThat(codec.mayMatch(PageBytes.of(page), filter)).as("filter: %d", number).isTrue();
      assertThat(indexed.mayMatch(codec, filter)).as("index: %d", number).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 63, 64, 126, 127, 128, 129, 255, 256, 300})
  void longHexadecimalsAreFoundInsideOfWords(int digits) {
    String text = "0123456789abcdef".repeat(20).substring(0, digits);
    for (String payload : List.of(text + "0", text + "x", "sha" + text, "x" + text + "_y")) {
      byte[] page = page(i -> i == 7 ? payload.toUpperCase(Locale.ROOT) : "to " + id(i));
      FieldFilter filter = new TextFilter(new ByteSearch(text.getBytes(UTF_8), true));
      assertThat(codec.mayMatch(PageBytes.of(page), filter)).as(payload).isTrue();
      FieldFilter number =
          new TextFilter(new ByteSearch(("-" + "7".repeat(digits) + "-").getBytes(UTF_8), true));
      assertThat(codec.mayMatch(PageBytes.of(page), number)).isFalse();
    }
  }

  /** A letter beside seven digits is no id of eight. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 15, 16, 31, 32})
  void digitsWithALetterBesideThemAreFoundInsideOfWords(int digits) {
    String id = "1234567890abcdef".repeat(4).substring(0, digits);
    for (String word : List.of("inv" + id, id + "xyz", "inv" + id + "xyz")) {
      Columns columns = withoutIds(word);
      byte[] page = codec.encode(columns);
      indexed.encode(codec, columns);
      assertThat(indexed.hasDictionary()).isTrue();
      for (String part : List.of("v" + id, id + "x")) {
        FieldFilter filter = new TextFilter(new ByteSearch(part.getBytes(UTF_8), false));
        assertThat(codec.mayMatch(PageBytes.of(page), filter)).as("%s in %s", part, word).isTrue();
        assertThat(indexed.mayMatch(codec, filter))
            .as("%s in %s", part, word)
            .isEqualTo(word.contains(part));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v2, true",
    "v3, false",
    "n47, true",
    "4711, true",
    "k47, false",
    "12x, true",
    "2x, true",
    "2z, false",
    "12, true"
  })
  void numberedNamesAreFoundByTheirParts(String part, boolean mayBeThere) {
    indexed.encode(codec, withoutIds("v2 of n4711 for 12x"));
    assertThat(indexed.hasDictionary()).isTrue();
    FieldFilter filter = new TextFilter(new ByteSearch(part.getBytes(UTF_8), false));
    assertThat(indexed.mayMatch(codec, filter)).isEqualTo(mayBeThere);
  }

  /** Zeros at the end of a text do not change its hash, except for its length. */
  @ParameterizedTest
  @CsvSource({"tser of user4711, user47", "lrder for order4711, order47"})
  void aNumberedNameIsFoundBesideAWordThatDiffersInItsFirstLetter(String text, String part) {
    indexed.encode(codec, withoutIds(text));
    FieldFilter filter = new TextFilter(new ByteSearch(part.getBytes(UTF_8), false));
    assertThat(indexed.mayMatch(codec, filter)).isTrue();
  }

  /** Returns columns of which one has a text, and the others have signs instead of ids. */
  private static Columns withoutIds(String text) {
    return RandomColumns.of(
        COLUMNS, i -> "{\"m\":\"%s\"}".formatted(i == 7 ? text : signs(i)).getBytes(UTF_8));
  }

  private static String signs(int i) {
    return id(i)
        .chars()
        .map(digit -> "!#$%&()+,-.:;<=>".charAt(Character.digit(digit, 16)))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Few long texts have more words than there are values. */
  @ParameterizedTest
  @ValueSource(ints = {50, 200, 400})
  void longTextsHaveAnIndex(int wordsOfText) {
    checkTold(
        100,
        i ->
            IntStream.range(0, wordsOfText)
                .mapToObj(n -> id(i * wordsOfText + n))
                .collect(Collectors.joining(" ")));
  }

  /** More words than there is room for: all values of a field may be in the page then. */
  @Test
  void valuesBeyondTheRoomForWordsAreFound() {
    checkTold(20_000, WordPageTest::id);
  }

  /** The words would take more than the page; the level is indexed all the same. */
  @Test
  void wordsThatCostMoreThanTheirPageAreReplaced() {
    checkTold(2_000, i -> "a%1$d b%1$d c%1$d d%1$d e%1$d f%1$d g%1$d".formatted(i));
  }

  private void checkTold(int count, IntFunction<String> text) {
    Columns columns =
        RandomColumns.of(
            count,
            i ->
                "{\"level\":\"%s\",\"ms\":%d,\"m\":\"%s\"}"
                    .formatted(
                        i % 3 == 0 ? "info" : "warn",
                        ByteWords.mix(i + 7_000)
                            >>> 57, // without it, a page has no room for a filter
                        text.apply(i))
                    .getBytes(UTF_8));
    indexed.encode(codec, columns);
    byte[] page = codec.encode(columns);
    assertThat(indexed.isEmpty()).isFalse();
    assertThat(indexed.mayMatch(codec, EqualField.of("fatal", "level"))).isFalse();
    assertThat(codec.mayMatch(PageBytes.of(page), EqualField.of("fatal", "level"))).isFalse();
    for (int i = 0; i < count; i += 1 + count / 500) {
      String value = text.apply(i);
      FieldFilter equal = EqualField.of(value, "m");
      FieldFilter words = TextFilter.ofWords(value.split(" "));
      FieldFilter last = TextFilter.ofWords(value.replaceAll(".* ", ""));
      for (FieldFilter filter : List.of(equal, words, last)) {
        assertThat(indexed.mayMatch(codec, filter)).as("index: %s", filter).isTrue();
        assertThat(codec.mayMatch(PageBytes.of(page), filter)).as("filter: %s", filter).isTrue();
      }
    }
  }

  /** The longest words of many are required alone. */
  @Test
  void fewOfManyWordsAreLookedUp() {
    List<String> words = IntStream.range(0, 5_000).mapToObj(i -> "w" + i).toList();
    assertThat(codec.required(TextFilter.ofWords(words.toArray(String[]::new))).all()).hasSize(8);
  }

  /** The search for each part takes time. */
  @Test
  void fewOfManyPartsAreLookedUp() {
    List<List<ByteSearch>> texts =
        IntStream.range(1, 100)
            .mapToObj(i -> List.of(new ByteSearch("x".repeat(i).getBytes(UTF_8), false)))
            .toList();
    assertThat(codec.required(new TextFilter(texts)).all())
        .hasSize(8)
        .allMatch(oneOf -> oneOf.parts().get(0).text().length() > 91);
    List<ByteSearch> oneOf = texts.stream().flatMap(List::stream).toList();
    assertThat(codec.required(new TextFilter(List.of(oneOf, texts.get(4)))).all())
        .as("the list of 99 parts tells less than any part")
        .singleElement()
        .matches(five -> five.parts().get(0).text().length() == 5);
  }

  private static String event(int i, Random random) {
    return """
    {"at":"2026-11-20T08:%02d:%02d.%03dZ","n":%d,"ms":%d.%d,"id":"%s","trace":"%016x","user":"user_%d",\
    "path":"/api/%d/%s","level":"%s","m":"Order %d of caf\\u00e9 \\"É%d\\" failed after\\n%d ms \u63a5","l":["x%d",null]}"""
        .formatted(
            i / 60,
            i % 60,
            random.nextInt(1_000),
            random.nextLong() >>> 30,
            random.nextInt(90),
            random.nextInt(9),
            new UUID(random.nextLong(), random.nextLong()),
            random.nextLong(),
            random.nextInt(),
            random.nextInt(1_000),
            random.nextBoolean() ? "a" : "B",
            random.nextBoolean() ? "info" : "warn",
            random.nextInt(100_000),
            i % 7,
            random.nextInt(50),
            i % 90);
  }

  private static Set<String> words(Columns columns) {
    Set<String> words = new HashSet<>();
    JsonTexts texts = new JsonTexts();
    WordReader reader = new WordReader();
    for (int i = 0; i < columns.size(); i++) {
      int from = columns.offset(i);
      for (texts.reset(columns.bytes(), from, from + columns.length(i)); texts.next(); ) {
        reader.reset(columns.bytes(), texts.from(), texts.to(), texts.isString());
        while (reader.next()) {
          words.add(new String(reader.word(), 0, reader.length(), UTF_8));
        }
      }
    }
    return words;
  }

  /** The words that a text has inside of others; its first and last may go on in a payload. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tion refused by pe",
        " refused ",
        "\":\"connection refused",
        "n refused\\nby",
        "{\"m\":\"connection",
        "refused",
        "e",
        "\\n"
      })
  void aPageIsFoundByPartsOfItsTexts(String text) {
    byte[] with = page(i -> "connection refused\\nby peer " + id(i));
    byte[] same = page(i -> "connection refused by peer " + id(i));
    FieldFilter filter = new TextFilter(new ByteSearch(text.getBytes(UTF_8), false));
    boolean hasEscape = text.contains("\\");
    assertThat(codec.mayMatch(PageBytes.of(with), filter)).isTrue();
    assertThat(codec.mayMatch(PageBytes.of(same), filter)).isEqualTo(!hasEscape);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a refused b", "\"refused\"", "-refused ", "{\"name\":\"x"})
  void aPageWithoutAWholeWordOfATextIsRuledOut(String text) {
    byte[] page = page(i -> "a refusedly b " + id(i));
    FieldFilter filter = new TextFilter(new ByteSearch(text.getBytes(UTF_8), false));
    assertThat(codec.mayMatch(PageBytes.of(page), filter)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "a connection of peer b, true",
    "a connection by peer b, false",
    "a peer of connection b, true",
    "a peering connection of b, false"
  })
  void eachWordOfATextIsRequiredUnlessThereIsAnEscape(String text, boolean mayBeThere) {
    List<ByteSearch> oneOf =
        Stream.of(text, "\\u").map(any -> new ByteSearch(any.getBytes(UTF_8), false)).toList();
    FieldFilter filter = new TextFilter(List.of(oneOf));
    byte[] page = page(i -> "connection of peer " + id(i));
    assertThat(codec.mayMatch(PageBytes.of(page), filter)).isEqualTo(mayBeThere);
    byte[] escaped = page(i -> "\\u0070eer " + id(i));
    assertThat(codec.mayMatch(PageBytes.of(escaped), filter)).isTrue();
  }

  /** Without ids, a page would be smaller than its filter. */
  private static String id(int i) {
    return Long.toHexString(ByteWords.mix(i + 7_000));
  }

  /** Ids are found by any part of eight digits and more, unless no longer word has so many. */
  @ParameterizedTest
  @CsvSource({
    "0123456789abcdef, true",
    "123456789ABCDE, true",
    "123456789abcdf, true",
    "fedcba9876543210, false",
    "0123456789abcdef0, false",
    "1234567, true",
    "zzzzzzzz, true"
  })
  void idsAreFoundByTheirParts(String text, boolean mayBeThere) {
    byte[] page = page(i -> i == 7 ? "0123456789abcdef" : id(i));
    FieldFilter filter = new TextFilter(new ByteSearch(text.getBytes(UTF_8), true));
    assertThat(codec.mayMatch(PageBytes.of(page), filter)).isEqualTo(mayBeThere);
  }

  private byte[] page(IntFunction<String> message) {
    return codec.encode(
        RandomColumns.of(
            COLUMNS, i -> "{\"m\":\"%s\"}".formatted(message.apply(i)).getBytes(UTF_8)));
  }

  /** Values and words of all fields are recorded once, if the words tell the values apart. */
  @Test
  void idsAreIndexedOnce() {
    List<Integer> counts = new ArrayList<>();
    Random random = Seed.random(this);
    Columns columns =
        RandomColumns.of(
            COLUMNS, i -> "{\"trace\":\"%016x\"}".formatted(random.nextLong()).getBytes(UTF_8));
    codec.encode(columns, (hashes, count, words) -> counts.add(count));
    assertThat(counts)
        .containsExactly(COLUMNS + 4); // marks of the field, its digits and ids, and its name
  }
}
