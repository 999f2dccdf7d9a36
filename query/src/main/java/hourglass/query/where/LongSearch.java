package hourglass.query.where;

import hourglass.query.where.json.Effort;

/**
 * Searches in linear time by Knuth, Morris and Pratt (1977) if a text is long; the JDK's search may
 * take the product of both lengths.
 */
final class LongSearch {
  /** The product of lengths up to which the JDK is faster. */
  private static final int SHORT = 1 << 16;

  private LongSearch() {}

  static boolean contains(String text, String wanted) {
    Effort effort = Effort.current();
    if ((long) text.length() * wanted.length() <= SHORT) {
      effort.spend(1 + text.length() / Functions.CHARACTERS_A_STEP);
      return text.contains(wanted);
    }
    return text.length() >= wanted.length()
        && search(text, wanted, borders(wanted, effort), effort);
  }

  private static boolean search(String text, String wanted, int[] borders, Effort effort) {
    int fits = 0;
    for (int i = 0; i < text.length(); i++) {
      if (i % Functions.CHARACTERS_A_STEP == 0) {
        effort.spend(1);
      }
      char here = text.charAt(i);
      while (fits > 0 && wanted.charAt(fits) != here) {
        fits = borders[fits - 1];
      }
      if (wanted.charAt(fits) == here && ++fits == wanted.length()) {
        return true;
      }
    }
    return false;
  }

  /** For each prefix of a text, the length of its longest proper prefix that is also a suffix. */
  private static int[] borders(String wanted, Effort effort) {
    effort.make(wanted.length());
    effort.spend(wanted.length());
    int[] borders = new int[wanted.length()];
    int fits = 0;
    for (int i = 1; i < borders.length; i++) {
      while (fits > 0 && wanted.charAt(fits) != wanted.charAt(i)) {
        fits = borders[fits - 1];
      }
      if (wanted.charAt(fits) == wanted.charAt(i)) {
        fits++;
      }
      borders[i] = fits;
    }
    return borders;
  }
}
