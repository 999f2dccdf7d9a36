package hourglass.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bound must never be less than the library's size. */
class RegexSizeTest {
  private static final long SEED = Long.getLong("hourglass.test.seed", 16);
  private static final int ROUNDS = Integer.getInteger("hourglass.test.rounds", 20_000);

  private static final int LEAST = Pattern.compile("").programSize();

  private static final String[] PARTS = {
    "x",
    "y",
    "E",
    "1",
    ".",
    "^",
    "$",
    "\\b",
    "\\d",
    "\\pN",
    "\\x{41}",
    "\\\\",
    "\\\\E",
    "\\{",
    "é",
    "[xy]",
    "[^)]",
    "[\\Q]\\E]",
    "\\Q",
    "\\E",
    "\\Q\\E",
    "\\Q\\E",
    "\\Qx\\E",
    "\\Q)\\E",
    "\\Q{2}\\E",
    "|",
    "(",
    ")",
    "(?:",
    "(?i)",
    "(?i:",
    "(?s-U)",
    "(?U)",
    "(?P<n>",
    "()",
    "(?:)",
    "*",
    "+",
    "?",
    "{",
    "}",
    "{0}",
    "{1}",
    "{2}",
    "{3}",
    "{5}",
    "{2,}",
    "{0,}",
    "{0,4}",
    "{1,3}",
    "{02}",
    "{,3}",
    "{3,2}",
    "{ 2}",
  };

  @Test
  void sizesAreNeverUnderestimated() {
    Random random = new Random(SEED);
    int compiled = 0;
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder text = new StringBuilder();
      int open = 0;
      for (int parts = 1 + random.nextInt(9); parts > 0; parts--) {
        String part = PARTS[random.nextInt(PARTS.length)];
        if (part.equals(")") && open == 0) {
          continue;
        }
        open += part.equals(")") ? -1 : part.matches("\\(|.*[:>]") ? 1 : 0;
        text.append(part);
      }
      for (; open > 0; open--) {
        text.append(')').append(random.nextBoolean() ? "{3}" : "");
      }
      String regex = text.toString();
      Pattern pattern;
      try {
        pattern = Pattern.compile(regex);
      } catch (PatternSyntaxException e) {
        continue;
      }
      compiled++;
      assertThat(2 * RegexSize.of(regex).places() + LEAST)
          .as(regex)
          .isGreaterThanOrEqualTo(pattern.programSize());
    }
    assertThat(compiled).isGreaterThan(ROUNDS / 5);
  }
}
