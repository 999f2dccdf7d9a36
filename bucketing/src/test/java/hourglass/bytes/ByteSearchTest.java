package hourglass.bytes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
  private final Random random = new Random(7);

  @Test
  void agreesWithStringSearch() {
    int found = 0;
    for (int n = 0; n < 100_000; n++) {
      boolean ignoreCase = random.nextBoolean();
      String text = text(1 + random.nextInt(3));
      String bytes = text(random.nextInt(40));
      int from = random.nextInt(bytes.length() + 1);
      int to = from + random.nextInt(bytes.length() - from + 1);
      int expected =
          folded(bytes.substring(0, to), ignoreCase).indexOf(folded(text, ignoreCase), from);
      assertThat(search(text, ignoreCase).find(bytes.getBytes(ISO_8859_1), from, to))
          .as("%s in %s, %d to %d", text, bytes, from, to)
          .isEqualTo(expected);
      found += expected >= 0 ? 1 : 0;
    }
    assertThat(found).isBetween(10_000, 90_000);
  }

  @Test
  void comparesOnlyTheBytesInRange() {
    ByteSearch search = search("abc", false);
    byte[] bytes = "cabca".getBytes(ISO_8859_1);
    assertThat(search.agrees(bytes, 1, 1, 4)).isTrue();
    assertThat(search.agrees(bytes, 1, 2, 3)).isTrue();
    assertThat(search.agrees(bytes, 4, 0, 5)).isTrue(); // a, and the rest is beyond
    assertThat(search.agrees(bytes, -2, 0, 5)).isTrue();
    assertThat(search.agrees(bytes, -1, 0, 5)).isFalse();
    assertThat(search.agrees(bytes, 2, 2, 2)).isTrue(); // with none
  }

  @Test
  void aTextContainedInAnotherIsFoundWithIt() {
    int in = 0;
    for (int n = 0; n < 10_000; n++) {
      ByteSearch part = search(text(1 + random.nextInt(2)), random.nextBoolean());
      ByteSearch whole = search(text(1 + random.nextInt(4)), random.nextBoolean());
      if (part.isIn(whole)) {
        in++;
        byte[] bytes = (text(3) + recased(whole) + text(3)).getBytes(ISO_8859_1);
        assertThat(whole.find(bytes, 0, bytes.length)).isNotNegative();
        assertThat(part.find(bytes, 0, bytes.length)).as("%s, %s", part, whole).isNotNegative();
      }
    }
    assertThat(in).isGreaterThan(500);
    assertThat(search("a", true).isIn(search("xA", false))).isTrue();
    assertThat(search("a", false).isIn(search("xA", true))).isFalse();
  }

  /** Returns the text in the other case if the search ignores case. */
  private String recased(ByteSearch search) {
    String text = new String(search.text(), ISO_8859_1);
    String upper = text.replace('a', 'A').replace('z', 'Z');
    byte[] other = upper.getBytes(ISO_8859_1);
    return search.find(other, 0, other.length) == 0 && random.nextBoolean() ? upper : text;
  }

  @Test
  void recognizesItsAlphabet() {
    assertThat(search("0f", false).isOf("0123456789abcdef")).isTrue();
    assertThat(search("0F", false).isOf("0123456789abcdef")).isFalse();
    assertThat(search("0F", true).isOf("0123456789abcdef")).isTrue();
    assertThat(search("0f", true).isOf("0123456789ABCDEF")).isTrue();
    assertThat(search("\u00e9", true).isOf("abc")).isFalse();
    assertThatThrownBy(() -> search("", false)).isInstanceOf(IllegalArgumentException.class);
  }

  private static ByteSearch search(String text, boolean ignoreCase) {
    return new ByteSearch(text.getBytes(ISO_8859_1), ignoreCase);
  }

  /** Folds A to Z only; no other byte has two cases. */
  private static String folded(String text, boolean ignoreCase) {
    StringBuilder folded = new StringBuilder();
    for (char c : text.toCharArray()) {
      folded.append(c < 128 && ignoreCase ? String.valueOf(c).toLowerCase(Locale.ROOT) : c);
    }
    return folded.toString();
  }

  /** Few characters, with neighbours of the letters and bytes that differ from others in a bit. */
  private String text(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("aaAAZz@`[{\u00c1\u00e1".charAt(random.nextInt(12)));
    }
    return text.toString();
  }
}
