package hourglass.load.lab.ring;

/**
 * A stretch of the ring that one token owns: {@code (before, token]}, around the end if need be.
 */
record Arc(long before, long token, int node) {
  /** All tokens there are. */
  static final double WHOLE = 0x1p64;

  double size() {
    return distance(before, token);
  }

  /** Tokens in {@code (before, token]}; all of them where the two are equal. */
  static double distance(long before, long token) {
    long steps = token - before;
    if (steps == 0) {
      return WHOLE;
    }
    return steps > 0 ? steps : WHOLE + steps;
  }
}
