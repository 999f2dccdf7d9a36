package hourglass.query.encode;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Recognizes table cells that a spreadsheet may run as a formula: those that begin with {@code =},
 * {@code +}, {@code -} or {@code @}, in any width. Spreadsheets may strip blanks, control
 * characters and invisible characters in front of the sign. A cell that begins with a tab or a line
 * break counts too, since a new cell may begin there. A negative JSON number is safe.
 */
final class FormulaGuard {
  private static final Pattern NEGATIVE = Pattern.compile("-[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private FormulaGuard() {}

  static boolean isNeeded(byte[] cell, int from, int length) {
    if (length == 0) {
      return false;
    }
    int first = cell[from];
    if (first > ' ' && first < 0x7f) { // the usual case
      return isSign(first)
          && !NEGATIVE.matcher(new String(cell, from, length, StandardCharsets.UTF_8)).matches();
    }
    if (first == '\t' || first == '\n' || first == '\r') {
      return true;
    }
    return new String(cell, from, length, StandardCharsets.UTF_8)
        .codePoints()
        .dropWhile(FormulaGuard::isInvisible)
        .limit(1)
        .anyMatch(FormulaGuard::isSign);
  }

  private static boolean isSign(int character) {
    return switch (character) {
      case '=', '+', '-', '@' -> true;
      case 0xff1d, 0xff0b, 0xff0d, 0xff20 -> true; // full width
      case 0x2212, 0xfe62, 0xfe63, 0xfe66, 0xfe6b -> true; // minus sign and small forms
      default -> false;
    };
  }

  private static boolean isInvisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
