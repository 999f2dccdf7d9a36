package hourglass.query.filter;

import com.google.re2j.Pattern;
import hourglass.bytes.JsonScan;
import hourglass.store.FieldValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A test of the event's type or id, or of a JSON string. It is uncertain for a string with an
 * escape, which is not decoded. Immutable.
 */
public interface TextTest extends ValueTest {
  /** Returns the outcomes for a text without escapes in {@code [from, to)}, its quotes excluded. */
  int ofText(byte[] bytes, int from, int to);

  default int outcomes(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ofText(bytes, 0, bytes.length);
  }

  /** Whether the test is true for a text. */
  default boolean holds(String text) {
    return outcomes(text) == Outcomes.TRUE;
  }

  default int ofOtherKind() {
    return Outcomes.ERROR;
  }

  @Override
  default int outcomes(byte[] bytes, int from, int to) {
    if (bytes[from] != '"') {
      return ofOtherKind();
    }
    return JsonScan.hasEscape(bytes, from + 1, to - 1)
        ? Outcomes.EITHER
        : ofText(bytes, from + 1, to - 1);
  }

  /** Whether the bytes of a constant stand for it alone. An unpaired surrogate has no bytes. */
  static boolean isPlain(String constant) {
    // U+FFFD may stand for itself or for invalid bytes.
    return constant.indexOf('\uFFFD') < 0
        && StandardCharsets.UTF_8.newEncoder().canEncode(constant);
  }

  /**
   * Compares texts by their bytes in UTF-8. These have the order of code points, which is that of
   * texts in CEL.
   */
  static TextTest of(Comparison comparison, String constant) {
    byte[] wanted = constant.getBytes(StandardCharsets.UTF_8);
    return comparison.isOrder()
        ? (bytes, from, to) ->
            comparison.outcomes(Arrays.compareUnsigned(bytes, from, to, wanted, 0, wanted.length))
        : new EqualTest(comparison, constant, wanted);
  }

  /** A test of equality. A value that is not a text is unequal. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record EqualTest(Comparison comparison, String constant, byte[] wanted) implements TextTest {
    @Override
    public int ofText(byte[] bytes, int from, int to) {
      return comparison.outcomes(Arrays.equals(bytes, from, to, wanted, 0, wanted.length) ? 0 : 1);
    }

    @Override
    public int outcomes(String text) {
      return comparison.outcomes(text.equals(constant) ? 0 : 1);
    }

    @Override
    public int ofOtherKind() {
      return comparison.ofDifferentKinds();
    }

    @Override
    public Optional<FieldValue> required(String key) {
      return comparison == Comparison.EQUAL
          ? Optional.of(FieldValue.of(key, constant))
          : Optional.empty();
    }
  }

  /** A test of decoded texts. */
  record Decoded(Predicate<String> test) implements TextTest {
    @Override
    public int ofText(byte[] bytes, int from, int to) {
      return outcomes(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }

    @Override
    public int outcomes(String text) {
      return Outcomes.of(test.test(text));
    }
  }

  static TextTest startsWith(String constant) {
    byte[] wanted = constant.getBytes(StandardCharsets.UTF_8);
    return new PartTest(
        RequiredTexts.ofPart(constant), (bytes, from, to) -> isAt(bytes, from, from, to, wanted));
  }

  static TextTest endsWith(String constant) {
    byte[] wanted = constant.getBytes(StandardCharsets.UTF_8);
    return new PartTest(
        RequiredTexts.ofPart(constant),
        (bytes, from, to) -> isAt(bytes, to - wanted.length, from, to, wanted));
  }

  private static int isAt(byte[] bytes, int at, int from, int to, byte[] wanted) {
    int end = at + wanted.length;
    return Outcomes.of(
        at >= from && end <= to && Arrays.equals(bytes, at, end, wanted, 0, wanted.length));
  }

  static TextTest contains(String constant) {
    TextSearch search = new TextSearch(constant);
    return new PartTest(
        RequiredTexts.ofPart(constant),
        (bytes, from, to) -> Outcomes.of(search.isIn(bytes, from, to)));
  }

  /** Searches for a regular expression. Its steps count as work of the current event. */
  static TextTest matches(Pattern pattern) {
    return new PartTest(
        RequiredTexts.ofRegex(pattern.pattern()),
        new Decoded(text -> Regexes.find(pattern, text, Effort.current())));
  }

  /** A test of a part of a text, which the payload contains in some spelling. */
  record PartTest(RequiredTexts requiredTexts, TextTest test) implements TextTest {
    @Override
    public int ofText(byte[] bytes, int from, int to) {
      return test.ofText(bytes, from, to);
    }

    @Override
    public int outcomes(String text) {
      return test.outcomes(text);
    }
  }
}
