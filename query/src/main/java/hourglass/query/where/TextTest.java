package hourglass.query.where;

import com.google.re2j.Pattern;
import hourglass.query.where.json.Backslashes;
import hourglass.query.where.json.Effort;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A test of a text, that of an event or a JSON string of its payload. One that has an escape is not
 * looked into. Immutable.
 */
abstract class TextTest implements ValueTest {
  /** What comes of a text without escapes in {@code [from, to)}, its quotes cut off. */
  abstract int ofText(byte[] bytes, int from, int to);

  /** The same of a text that is no part of a payload. */
  int outcomes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ofText(bytes, 0, bytes.length);
  }

  /** What comes of a value that is no text. */
  int ofOtherKind() {
    return Outcomes.ERROR;
  }

  @Override
  public final int outcomes(byte[] bytes, int from, int to) {
    if (bytes[from] != '"') {
      return ofOtherKind();
    }
    return Backslashes.areIn(bytes, from + 1, to - 1)
        ? Outcomes.EITHER
        : ofText(bytes, from + 1, to - 1);
  }

  /** Whether a constant's bytes say all about it: half a pair of surrogates has none of its own. */
  static boolean isPlain(String constant) {
    // What decodes to U+FFFD may be that character or bytes that are none.
    return constant.indexOf('\uFFFD') < 0
        && StandardCharsets.UTF_8.newEncoder().canEncode(constant);
  }

  /** Whether it is equal to a constant, or not; what is no text is not. */
  static TextTest equality(Comparison comparison, String constant) {
    byte[] wanted = constant.getBytes(StandardCharsets.UTF_8);
    return new TextTest() {
      @Override
      int ofText(byte[] bytes, int from, int to) {
        return comparison.outcomes(
            Arrays.equals(bytes, from, to, wanted, 0, wanted.length) ? 0 : 1);
      }

      @Override
      int outcomes(String text) {
        return comparison.outcomes(text.equals(constant) ? 0 : 1);
      }

      @Override
      int ofOtherKind() {
        return comparison.ofDifferentKinds();
      }
    };
  }

  /** Whether it comes before or behind a constant; bytes sort as texts only within ASCII. */
  static TextTest order(Comparison comparison, String constant) {
    byte[] wanted = constant.getBytes(StandardCharsets.UTF_8);
    return new TextTest() {
      @Override
      int ofText(byte[] bytes, int from, int to) {
        int differ = Arrays.mismatch(bytes, from, to, wanted, 0, wanted.length);
        if (differ < 0) {
          return comparison.outcomes(0);
        }
        if (differ >= to - from || differ >= wanted.length) {
          return comparison.outcomes(Integer.compare(to - from, wanted.length));
        }
        int byteOf = bytes[from + differ];
        return byteOf < 0 || wanted[differ] < 0
            ? Outcomes.EITHER
            : comparison.outcomes(byteOf - wanted[differ]);
      }
    };
  }

  static TextTest startsWith(String constant) {
    byte[] wanted = constant.getBytes(StandardCharsets.UTF_8);
    return new TextTest() {
      @Override
      int ofText(byte[] bytes, int from, int to) {
        return Outcomes.of(
            to - from >= wanted.length
                && Arrays.equals(bytes, from, from + wanted.length, wanted, 0, wanted.length));
      }
    };
  }

  static TextTest endsWith(String constant) {
    byte[] wanted = constant.getBytes(StandardCharsets.UTF_8);
    return new TextTest() {
      @Override
      int ofText(byte[] bytes, int from, int to) {
        return Outcomes.of(
            to - from >= wanted.length
                && Arrays.equals(bytes, to - wanted.length, to, wanted, 0, wanted.length));
      }
    };
  }

  /**
   * Whether a constant is somewhere in it.
   *
   * @param constant at least one character
   */
  static TextTest contains(String constant) {
    TextSearch search = new TextSearch(constant);
    return new TextTest() {
      @Override
      int ofText(byte[] bytes, int from, int to) {
        return Outcomes.of(search.isIn(bytes, from, to));
      }
    };
  }

  /** Whether a regular expression fits a part of it. */
  static TextTest matches(Pattern pattern) {
    return new TextTest() {
      @Override
      int ofText(byte[] bytes, int from, int to) {
        return outcomes(new String(bytes, from, to - from, StandardCharsets.UTF_8));
      }

      @Override
      int outcomes(String text) {
        return Outcomes.of(Regexes.find(pattern, text, Effort.current()));
      }
    };
  }
}
