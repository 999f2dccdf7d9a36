package hourglass.query.line;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LevelOfLineTest {
  private static String level(String line) {
    byte[] bytes = ("!" + line + "!").getBytes(StandardCharsets.UTF_8);
    return LevelOfLine.of(bytes, 1, bytes.length - 1); // what is around the line does not count
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      quoteCharacter = '`',
      value = {
        // words
        "disk full ==> unknown",
        "an error occurred ==> error",
        "ERROR: disk full ==> error",
        "[Warning] disk full ==> warn",
        "(err) info ==> error",
        "critical! ==> critical",
        "fatal ==> fatal",
        "info|debug ==> info",
        "terror, errors, an-error, misc:error ==> unknown",
        "trace.id information inf dbg ==> unknown",
        "caf\u00e9 debug ==> debug",
        // pairs: the first of the names, in any case, and the first of equal ones
        "level=warn msg=error ==> warn",
        "severity=debug lvl=info ==> debug",
        "lvl=info SEVERITY=dbg ==> debug",
        "Level=\"Information\" ==> info",
        "error level=info ==> info",
        "level=odd an error ==> error",
        "level= x=error ==> error",
        "a=b=c level=dbg ==> unknown", // no pair, so that the search ends
        "a=\"b level=info ==> info", // as a word would
        "loglevel=error ==> error", // as a word too
        "loglevel=odd ==> unknown",
        // objects: the first text with a name, of the object or of one in it
        "{\"level\":\"WARN\",\"msg\":\"error\"} ==> warn",
        " {\"log\":{\"level\":\"Fatal\"},\"level\":\"info\"}  ==> fatal",
        "{\"log\":{\"in\":{\"level\":\"fatal\"}},\"lvl\":\"trc\"} ==> trace",
        "{\"log.level\":\"critical\"} ==> critical",
        "{\"lEVEL\":\"warn\"} ==> warn", // as a word
        "{\"lEVEL\":\"odd\"} ==> unknown",
        "{\"level\":30,\"severity\":\"INFO\"} ==> info",
        "{\"level\":30,\"msg\":\"an error\"} ==> error",
        "{\"level\":\"odd\",\"severity\":\"warn\"} ==> warn", // as a word: the first text counts
        "{\"level\":\"odd\",\"severity\":\"wrn\"} ==> unknown",
        "{\"l\\u0065vel\":\"dbg\"} ==> debug",
        "{error} ==> error",
        "{\"log\\dir\":\"an error\"} ==> error",
        "{\"s\\u12\":\"warn\"} ==> warn",
        "{\"level\":} ==> unknown",
        "{\"level ==> unknown",
        "{ ==> unknown",
        "} ==> unknown",
      })
  void levelsAgreeWithLoki(String line, String level) {
    assertThat(level(line)).isEqualTo(level);
    assertThat(LevelModel.ofLine(line)).as("the model").isEqualTo(level);
  }

  @Test
  void anEmptyLineHasNoLevel() {
    assertThat(level("")).isEqualTo("unknown");
  }

  @Test
  void levelsOfRandomLinesAgreeWithAModel() {
    Random random = Seed.random(this);
    String[] parts = {
      "error",
      "Err",
      "WARNING",
      "info",
      "debug",
      "level",
      "lvl",
      "Severity",
      "x",
      "=",
      "=",
      "\"",
      " ",
      " ",
      ":",
      "[",
      "]",
      "\\",
      "-",
      ",",
      "\u00e9",
      "\t",
      "."
    };
    for (int i = Tier.length(4_000, 20_000, 500_000); i > 0; i--) {
      StringBuilder line = new StringBuilder();
      for (int n = random.nextInt(14); n > 0; n--) {
        line.append(parts[random.nextInt(parts.length)]);
      }
      assertThat(level(line.toString()))
          .as(line.toString())
          .isEqualTo(LevelModel.ofLine(line.toString()));
    }
  }
}
