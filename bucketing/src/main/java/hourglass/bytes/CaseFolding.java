package hourglass.bytes;

/**
 * Folds characters, so that those which differ in case alone become equal. This is Unicode's simple
 * case folding (5.18): {@code ß} does not equal {@code ss}.
 */
public final class CaseFolding {
  /** The dotted capital and the dotless small i have no simple folding. */
  private static final int CAPITAL_I_DOTTED = 0x130;

  private static final int SMALL_I_DOTLESS = 0x131;

  private CaseFolding() {}

  public static int fold(int character) {
    return character == CAPITAL_I_DOTTED || character == SMALL_I_DOTLESS
        ? character
        : Character.toLowerCase(Character.toUpperCase(character));
  }
}
