package hourglass.command;

/**
 * Computes how many cells of a terminal a text fills, as wcwidth does: two for a wide character of
 * East Asia or a pictograph, none for a mark that combines with the character before it.
 */
final class TextWidth {
  /** The first and the last character of each range that is wide (Unicode, East Asian Width). */
  private static final int[] WIDE = {
    0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3,
    0xf900, 0xfaff, 0xfe30, 0xfe6f, 0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f680,
    0x1f6ff, 0x1f900, 0x1f9ff, 0x20000, 0x3fffd
  };

  private TextWidth() {}

  static int of(String text) {
    return text.codePoints().map(TextWidth::of).sum();
  }

  private static int of(int character) {
    if (character < WIDE[0]) {
      return isMark(character) ? 0 : 1;
    }
    for (int i = 0; i < WIDE.length; i += 2) {
      if (character >= WIDE[i] && character <= WIDE[i + 1]) {
        return 2;
      }
    }
    return isMark(character) ? 0 : 1;
  }

  private static boolean isMark(int character) {
    int type = Character.getType(character);
    return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
  }
}
