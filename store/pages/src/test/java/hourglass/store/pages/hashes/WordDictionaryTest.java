package hourglass.store.pages.hashes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordDictionaryTest {
  private static final int ROUNDS = Tier.length(2_000, 20_000, 100_000);

  private final WordDictionary dictionary = new WordDictionary();
  private final WordDictionaryWriter writer = new WordDictionaryWriter();

  @AfterEach
  void close() {
    dictionary.close();
  }

  @ParameterizedTest
  @CsvSource({
    "refused, refused",
    "node12, node12",
    "deadbeef, deadbeef",
    "500, #",
    "4bf92f35, #",
    "order4711_x, order#_x",
    "order4711, order#",
    "user_123, user_#",
    "code4711, co#",
    "x0000, x#",
    "zürich2026, zürich#"
  })
  void idsAreLeftOutOfForms(String word, String expected) {
    assertThat(form(word)).isEqualTo(expected.replace('#', '\1'));
  }

  private static String form(String word) {
    WordForm form = new WordForm();
    byte[] bytes = word.getBytes(UTF_8);
    form.reset(bytes, 0, bytes.length);
    return new String(form.bytes(), 0, form.length(), UTF_8);
  }

  private void fill(String... words) {
    fill(Integer.MAX_VALUE, words);
  }

  private byte[] fill(int pageBytes, String... words) {
    writer.clear();
    WordList list = new WordList();
    WordForm form = new WordForm();
    for (String word : words) {
      byte[] bytes = word.getBytes(UTF_8);
      form.reset(bytes, 0, bytes.length);
      list.add(form, form.hash());
    }
    list.setPageBytes(pageBytes);
    writer.add(list);
    byte[] written = writer.toBytes();
    if (written.length > 0) {
      dictionary.reset(written, written.length);
    }
    return written;
  }

  private static long[] hashes(String... forms) {
    return Arrays.stream(forms)
        .map(form -> form.getBytes(UTF_8))
        .mapToLong(bytes -> ValueHash.word(bytes, 0, bytes.length))
        .toArray();
  }

  @Test
  void wordsAreFoundByTheirParts() {
    fill("refused", "fuse", "connection", "order4711_x", "用", "refuse");
    assertThat(find("fuse", false, false))
        .containsExactlyInAnyOrder(hashes("refused", "fuse", "refuse"));
    assertThat(find("fuse", true, false)).containsExactly(hashes("fuse"));
    assertThat(find("fuse", false, true)).containsExactlyInAnyOrder(hashes("fuse", "refuse"));
    assertThat(find("order99", true, false)).containsExactly(hashes("order\1_x"));
    assertThat(find("r12_x", false, true)).containsExactly(hashes("order\1_x"));
    assertThat(find("9_x", true, false)).isEmpty();
    assertThat(find("77", false, false)).containsExactly(hashes("order\1_x"));
    assertThat(find("用", false, false)).containsExactly(hashes("用"));
    assertThat(find("absent", false, false)).isEmpty();
  }

  private long[] find(String part, boolean begins, boolean ends) {
    return dictionary.find(new WordPart(part, begins, ends));
  }

  /** Compares the search with one in the words themselves. */
  @Test
  void eachWordWithAPartIsFound() {
    Random random = Seed.random(this);
    int found = 0;
    for (int n = 0; n < ROUNDS; n++) {
      List<String> words =
          Stream.generate(() -> word(random))
              .filter(word -> form(word).getBytes(UTF_8).length <= WordForm.BYTES_MAX)
              .limit(1 + random.nextInt(12))
              .distinct()
              .toList();
      fill(words.toArray(String[]::new));
      for (int m = 0; m < 4; m++) {
        String of = random.nextInt(3) == 0 ? word(random) : words.get(random.nextInt(words.size()));
        int from = random.nextInt(of.length());
        String part = of.substring(from, from + 1 + random.nextInt(of.length() - from));
        boolean begins = random.nextInt(3) == 0;
        boolean ends = !begins && random.nextInt(3) == 0;
        Set<Long> expected = new LinkedHashSet<>();
        for (String word : words) {
          if (begins ? word.startsWith(part) : ends ? word.endsWith(part) : word.contains(part)) {
            expected.add(hashes(form(word))[0]);
          }
        }
        List<Long> actual = Arrays.stream(find(part, begins, ends)).boxed().toList();
        assertThat(actual).as("%s in %s", part, words).containsAll(expected);
        found += expected.size();
      }
    }
    assertThat(found).isGreaterThan(ROUNDS);
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int n = 1 + random.nextInt(random.nextInt(10) == 0 ? 90 : 12); n > 0; n--) {
      word.append("xyé_ab0123456789".charAt(random.nextInt(random.nextBoolean() ? 6 : 16)));
    }
    return word.toString();
  }

  @Test
  void aPartOfTooManyWordsIsUnknown() {
    fill(IntStream.range(0, 300).mapToObj(i -> word(i) + "xyz").toArray(String[]::new));
    assertThat(find("xyz", false, true)).isNull();
    assertThat(find("xyz", true, false)).isEmpty();
    assertThat(find(word(17), true, false)).hasSize(1);
  }

  /** Returns words without digits, none of which begins another. */
  private static String word(int i) {
    return "" + (char) ('g' + i / 18) + (char) ('g' + i % 18);
  }

  @Test
  void aDictionaryThatIsLargeForItsPagesIsLeftOut() {
    String[] words =
        IntStream.range(0, 300).mapToObj(WordDictionaryTest::word).toArray(String[]::new);
    int bytes = fill(Integer.MAX_VALUE, words).length;
    assertThat(bytes).isBetween(100, 1_000);
    assertThat(fill(32 * bytes, words)).hasSize(bytes);
    assertThat(fill(32 * bytes - 1, words)).isEmpty();
  }

  @Test
  void aDictionaryOfMoreWordsThanItsRoomIsLeftOut() {
    List<String> words = new ArrayList<>();
    Random random = Seed.random(this);
    while (words.size() < 1 << 16) {
      words.add(
          random
              .ints(8, 'g', 'z')
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString());
    }
    assertThat(fill(Integer.MAX_VALUE, words.stream().distinct().toArray(String[]::new)))
        .isNotEmpty();
    IntStream.range(0, 300).mapToObj(WordDictionaryTest::word).forEach(words::add);
    assertThat(fill(Integer.MAX_VALUE, words.toArray(String[]::new))).isEmpty();
  }
}
