package hourglass.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexTextsTest {
  private static final int ROUNDS = Tier.length(50_000, 500_000, 5_000_000);

  private static final String[] PARTS = {
    "a",
    "b",
    "ab",
    "é",
    ".",
    "^",
    "$",
    "*",
    "+",
    "?",
    "|",
    "(",
    ")",
    "(?:",
    "(?P<n>",
    "(?i)",
    "(?s)",
    "[ab]",
    "[^a]",
    "[]a]",
    "[\\]b]",
    "[[:alpha:]]",
    "{0}",
    "{2}",
    "{1,2}",
    "{,2}",
    "{",
    "}",
    "*?",
    "\\.",
    "\\d",
    "\\b",
    "\\x61",
    "\\Qa*\\E",
    "\\n",
    "\\pL",
    "]",
    "-",
    "\\_",
    "(?U)",
    "\\101"
  };

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "connection refused                ; [[connection refused]]",
        "connection (refused|reset) by \\d+ ; [[connection ], [refused, reset], [ by ]]",
        "time-?out                         ; [[time], [out]]",
        "x{2}y                             ; [[x], [y]]",
        "ab+c                              ; [[ab], [c]]",
        "a|b                               ; [[a, b]]",
        "a|.*                              ; []",
        "(abc)?d                           ; [[d]]",
        "(?:a|bc(d|e))                     ; [[a, bc]]",
        "1\\.2                             ; [[1.2]]",
        "^/api/[^/]+/orders$               ; [[/api/], [/orders]]",
        "[]x]y                             ; [[y]]",
        "[[:alpha:]]]                      ; [[]]]",
        "(?P<name>error)                   ; [[error]]",
        "\\Qa.b\\E                         ; []",
        "\\x41bc                           ; []",
        "a(?i)b                            ; []",
        "a(b                               ; []"
      })
  void textsOfMatchesAreFound(String regex, String expected) {
    assertThat(RegexTexts.of(regex).lists()).hasToString(expected);
  }

  @Test
  void textsInAnyCaseAreMarked() {
    assertThat(RegexTexts.of("(?i)Time-?out"))
        .isEqualTo(new RegexTexts.Needed(List.of(List.of("Time"), List.of("out")), true));
    assertThat(RegexTexts.of("(?s)(?i)a").ignoreCase()).isTrue();
    assertThat(RegexTexts.of("(?s)a").ignoreCase()).isFalse();
  }

  /** Each text that the library matches contains the texts. */
  @Test
  void eachMatchContainsTheTexts() {
    Random random = Seed.random(this);
    int needed = 0;
    for (int n = 0; n < ROUNDS; n++) {
      StringBuilder regex = new StringBuilder();
      for (int i = 1 + random.nextInt(8); i > 0; i--) {
        regex.append(PARTS[random.nextInt(random.nextBoolean() ? 4 : PARTS.length)]);
      }
      Pattern pattern;
      try {
        pattern = Pattern.compile(regex.toString());
      } catch (PatternSyntaxException e) {
        continue;
      }
      RegexTexts.Needed texts = RegexTexts.of(regex.toString());
      for (int m = 0; m < 8; m++) {
        String text = text(random);
        if (pattern.matcher(text).find()) {
          String found = texts.ignoreCase() ? text.toLowerCase(Locale.ROOT) : text;
          assertThat(texts.lists())
              .as("%s in %s", regex, text)
              .allMatch(
                  any ->
                      any.stream()
                          .anyMatch(
                              one ->
                                  found.contains(
                                      texts.ignoreCase() ? one.toLowerCase(Locale.ROOT) : one)));
          needed += texts.lists().size();
        }
      }
    }
    assertThat(needed).isGreaterThan(ROUNDS / 10);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append("ababéAB.*{2}_-] \n".charAt(random.nextInt(17)));
    }
    return text.toString();
  }
}
