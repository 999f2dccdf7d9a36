package hourglass.query.filter;

/** Finds a text, fed character by character, by Knuth, Morris and Pratt (1977). Immutable. */
public final class Automaton {
  /** The product of lengths up to which the JDK is faster. */
  private static final int SHORT = 1 << 16;

  private final int[] wanted;

  /**
   * The number of characters that remain matched if, after {@code i} of them, the next one differs.
   */
  private final int[] shorter;

  Automaton(int[] wanted) {
    this.wanted = wanted;
    shorter = new int[wanted.length];
    for (int i = 1, matched = 0; i < wanted.length; i++) {
      shorter[i] = matched;
      matched = matched(matched, wanted[i]);
    }
  }

  /**
   * Whether a text contains a part, in time linear in both if they are long; the JDK's search may
   * need the product of both lengths.
   */
  public static boolean contains(String text, String part) {
    Effort effort = Effort.current();
    if ((long) text.length() * part.length() <= SHORT) {
      effort.spend(1 + text.length() / Effort.CHARACTERS_A_STEP);
      return text.contains(part);
    }
    if (text.length() < part.length()) {
      return false;
    }
    effort.make(part.length());
    effort.spend(part.length());
    Automaton automaton = new Automaton(part.chars().toArray());
    int matched = 0;
    for (int i = 0; i < text.length() && matched < part.length(); i++) {
      if (i % Effort.CHARACTERS_A_STEP == 0) {
        effort.spend(1);
      }
      matched = automaton.matched(matched, text.charAt(i));
    }
    return matched == part.length();
  }

  int length() {
    return wanted.length;
  }

  /**
   * The number of characters that match after one more character of the text. Before it, {@code
   * before} matched, which were not all.
   */
  int matched(int before, int character) {
    int matched = before;
    while (matched > 0 && wanted[matched] != character) {
      matched = shorter[matched];
    }
    return wanted[matched] == character ? matched + 1 : 0;
  }
}
