package hourglass.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.ByteSearch;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextSearchTest {
  private final Random random = Seed.random(this);

  @Test
  void agreesWithStringSearch() {
    int found = 0;
    for (int i = 0; i < 3000; i++) {
      List<String> texts = new ArrayList<>();
      ColumnsBuilder out = new ColumnsBuilder(4, 0);
      for (int column = 0; column < 4; column++) {
        texts.add(random(random.nextInt(30)));
        byte[] bytes = texts.get(column).getBytes(StandardCharsets.UTF_8);
        out.add(column, 0, bytes, 0, bytes.length);
      }
      Columns columns = out.build();
      String wanted = random(1 + random.nextInt(5));
      TextSearch search = new TextSearch(wanted);
      for (int column = 0; column < 4; column++) {
        boolean expected = texts.get(column).contains(wanted);
        assertThat(search.isIn(columns, column)).isEqualTo(expected);
        found += expected ? 1 : 0;
      }
    }
    assertThat(found).isBetween(1000, 11_000);
  }

  @Test
  void ignoresCaseLikeStrings() {
    int found = 0;
    for (int i = 0; i < 10_000; i++) {
      String text = randomCases(random.nextInt(30));
      String wanted = randomCases(1 + random.nextInt(4));
      byte[] bytes = ("-" + text).getBytes(StandardCharsets.UTF_8);
      boolean expected =
          IntStream.rangeClosed(0, text.length() - wanted.length())
              .filter(at -> at == 0 || !Character.isLowSurrogate(text.charAt(at)))
              .anyMatch(at -> text.regionMatches(true, at, wanted, 0, wanted.length()));
      assertThat(new FoldedSearch(wanted).isIn(bytes, 1, bytes.length))
          .as("%s in %s", wanted, text)
          .isEqualTo(expected);
      found += expected ? 1 : 0;
    }
    assertThat(found).isBetween(1_000, 9_000);
  }

  /** Characters of one to four bytes; some change their length with their case. */
  private String randomCases(int length) {
    int[] characters =
        "aAkK\u212asS\u017f\u00e9\u00c9\u03c3\u03a3\u03c2\ud801\udc00\ud801\udc28"
            .codePoints()
            .toArray();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(characters[random.nextInt(characters.length)]);
    }
    return text.toString();
  }

  @Test
  void usesSimpleCaseFolding() {
    assertThat(isFolded("stra\u00dfe", "STRA\u1e9eE")).isTrue();
    assertThat(isFolded("strasse", "STRA\u00dfE")).isFalse();
    assertThat(isFolded("\u0130", "i")).isFalse();
    assertThat(isFolded("\u0131", "I")).isFalse();
    assertThat(isFolded("\u00b5", "\u039c")).isTrue();
  }

  private static boolean isFolded(String text, String wanted) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new FoldedSearch(wanted).isIn(bytes, 0, bytes.length);
  }

  /** Then the store omits no payload that a search finds. */
  @Test
  void everyMatchContainsTheRequiredBytes() {
    int excluded = 0;
    for (int i = 0; i < 20_000; i++) {
      boolean ignoreCase = random.nextBoolean();
      String wanted = randomCases(1 + random.nextInt(4));
      PayloadSearch search = PayloadSearch.of(wanted, ignoreCase);
      List<ByteSearch> required = search.required();
      byte[] payload = randomCases(random.nextInt(30)).getBytes(StandardCharsets.UTF_8);
      if (!required.isEmpty()) {
        boolean may = required.stream().anyMatch(one -> one.find(payload, 0, payload.length) >= 0);
        assertThat(may || !search.isIn(payload, 0, payload.length))
            .as("%s, ignoring case: %s", wanted, ignoreCase)
            .isTrue();
        excluded += may ? 0 : 1;
      }
    }
    assertThat(excluded).isGreaterThan(5_000);
    assertThat(PayloadSearch.of("\u00e9Kks", true).required()).isEmpty();
  }

  @Test
  void onlyKAndSHaveCasesBeyondAscii() {
    byte[] beyond =
        IntStream.rangeClosed(128, Character.MAX_CODE_POINT)
            .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString()
            .getBytes(StandardCharsets.UTF_8);
    for (char c = 0; c < 128; c++) {
      boolean isFound = new FoldedSearch(Character.toString(c)).isIn(beyond, 0, beyond.length);
      assertThat(isFound).as("%c", c).isEqualTo("KkSs".indexOf(c) >= 0);
    }
  }

  @Test
  void truncatedCharactersDoNotFail() {
    byte[] bytes = {'a', (byte) 0xf0, (byte) 0x9f};
    assertThat(new FoldedSearch("A").isIn(bytes, 0, 3)).isTrue();
    assertThat(new FoldedSearch("b").isIn(bytes, 0, 3)).isFalse();
    assertThat(new FoldedSearch("b").isIn(bytes, 0, 2)).isFalse();
  }

  /** Few letters, one of two bytes, so that texts repeat themselves. */
  private String random(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("abé".charAt(random.nextInt(3)));
    }
    return text.toString();
  }
}
