package hourglass.query.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaGuardTest {
  private static String written(String cell, boolean safe) {
    return new String(CsvText.field(cell, safe), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "=1+1",
        "=cmd|' /C calc'!A0",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "=",
        "-",
        "+49 30 123456",
        "--5",
        "-5-5",
        "-5e",
        "-5e+",
        "-5.",
        "-.5",
        "-5 ",
        "-e5",
        " =1+1",
        "\u00a0=1+1",
        "\u3000=1+1",
        "\ufeff=1+1",
        "\u200b=1+1",
        "\u202e=1+1",
        "\u0000=1+1",
        "\u0001 \u2028@x",
        "\uff1d1+1",
        "\uff0b1",
        "\uff0d1+1",
        "\uff20SUM(A1)",
        " \uff1d1",
        "\u22121+1",
      })
  void aFormulaGetsAnApostrophe(String cell) {
    assertThat(written(cell, true)).isEqualTo("'" + cell);
    assertThat(written(cell, false)).isEqualTo(cell);
  }

  @Test
  void aQuotedFormulaGetsAnApostrophe() {
    assertThat(written("=HYPERLINK(\"http://x\",\"y\")", true))
        .isEqualTo("\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    assertThat(written("\t=1", true)).isEqualTo("'\t=1");
    assertThat(written("\tx", true)).isEqualTo("'\tx");
    assertThat(written("\r\n=1", true)).isEqualTo("\"'\r\n=1\"");
    assertThat(written("\nx", true)).isEqualTo("\"'\nx\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "-5",
        "-0",
        "-0.25",
        "-1e5",
        "-1.5E-10",
        "-12E+3",
        "a=b",
        "a-b",
        "'=1+1",
        "{\"a\":-5}",
        "[-5]",
        "\u00fc=1",
        "/api/cart",
        "2026-11-20T08:00:00.0000000Z",
      })
  void otherCellsAreUnchanged(String cell) {
    assertThat(written(cell, true)).isEqualTo(written(cell, false));
  }
}
