package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordReaderTest {
  private static final String MARKS = "\\p{M}\\u200c\\u200d";
  private static final String ALONE =
      "[\\p{IsIdeographic}\\p{IsHiragana}\\p{IsThai}\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}"
          + "&&\\p{IsAlphabetic}&&[^\\p{M}]]";
  private static final String LETTERS = "[\\p{IsAlphabetic}\\p{Nd}_&&[^\\p{M}]&&[^" + ALONE + "]]";

  /** The words as java.util.regex finds them. */
  private static final Pattern WORD =
      Pattern.compile("%2$s[%1$s]*|%3$s(?:[%1$s]|%3$s)*".formatted(MARKS, ALONE, LETTERS));

  private final Random random = Seed.random(this);

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "GET /api/orders/17?x=Zürich § get api orders 17 x zürich",
        "user_id=4bf92f35-77b3 § user_id 4bf92f35 77b3",
        "192.168.0.1:8080 § 192 168 0 1 8080",
        "don't § don t",
        "ΣΊΣΥΦΟΣ σίσυφος § σίσυφοσ σίσυφοσ",
        "接続を refused § 接 続 を refused",
        "ภาษา § ภ า ษ า",
        "カタカナ § カタカナ",
        "--- § ''",
      })
  void cutsAndFoldsWords(String text, String words) {
    assertThat(String.join(" ", read(text, false))).isEqualTo(words);
  }

  @Test
  void escapesStandForCharactersInStringsAlone() {
    assertThat(read("a\\nb caf\\u00e9 \\ud801\\udc00x \\\"q\\\" \\/p", true))
        .containsExactly("a", "b", "café", "\ud801\udc28x", "q", "p");
    assertThat(read("a\\nb", false)).containsExactly("a", "nb");
  }

  @Test
  void brokenEscapesSeparateWords() {
    assertThat(read("a\\ud801b\\udc00c\\ud801\\u0041d", true)).containsExactly("a", "b", "c", "ad");
    assertThat(read("a\\u12", true)).containsExactly("a", "12");
    assertThat(read("a\\u12gh\\", true)).containsExactly("a", "12gh");
  }

  @Test
  void marksBelongToTheWordThatTheyFollow() {
    assertThat(read("e\u0301te \u0301a \u0301", false)).containsExactly("e\u0301te", "a");
    assertThat(read("\u0928\u093f \u0645\u06cc\u200c\u0634", false))
        .containsExactly("\u0928\u093f", "\u0645\u06cc\u200c\u0634");
    assertThat(read("\u63a5\ufe00a", false)).containsExactly("\u63a5\ufe00", "a");
  }

  @Test
  void malformedBytesSeparateWords() {
    byte[] bytes = {'a', (byte) 0xff, 'b', (byte) 0xc3, 'c', (byte) 0xed, (byte) 0xa0, (byte) 0x80};
    assertThat(read(bytes, 0, bytes.length, false)).containsExactly("a", "b", "c");
    byte[] cut = "xé".getBytes(StandardCharsets.UTF_8);
    assertThat(read(cut, 0, 2, false)).containsExactly("x");
  }

  /** Texts of characters that are letters, marks, signs or words of their own. */
  @Test
  void agreesWithRegularExpressions() {
    int[] characters =
        "aB9_-. \u0301\u0345éÉ\u212a\u017fßẞ\u0130\u0131\u4e2d\u3042\u30a2\u0e01\u0e34\u0928\u093f"
            .concat(
                "\u200d\u200c\u0661\u00b2\u2460\u24b6\ud801\udc00\ud83d\ude00\ud840\udc00\u2028")
            .codePoints()
            .toArray();
    for (int n = 0; n < 20_000; n++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i > 0; i--) {
        text.appendCodePoint(characters[random.nextInt(characters.length)]);
      }
      assertThat(read(text.toString(), false)).as(text.toString()).isEqualTo(words(text));
    }
  }

  @Test
  void eachCharacterIsOfTheKindThatUnicodeSays() {
    IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .filter(c -> c < 0x3000 || c % 7 == 0)
        .forEach(
            c -> {
              String text = "a" + Character.toString(c) + "b";
              assertThat(read(text, false)).as("U+%04X", c).isEqualTo(words(text));
            });
  }

  private static List<String> words(CharSequence text) {
    return WORD.matcher(text).results().map(found -> folded(found.group())).toList();
  }

  private static String folded(String word) {
    return word.codePoints()
        .map(CaseFolding::fold)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static List<String> read(String text, boolean isString) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return read(bytes, 0, bytes.length, isString);
  }

  private static List<String> read(byte[] bytes, int from, int to, boolean isString) {
    List<String> words = new ArrayList<>();
    WordReader reader = new WordReader();
    for (reader.reset(bytes, from, to, isString); reader.next(); ) {
      words.add(new String(reader.word(), 0, reader.length(), StandardCharsets.UTF_8));
    }
    return words;
  }
}
