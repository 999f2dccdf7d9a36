package hourglass.query.where;

/** A test of a JSON value by its bytes. Immutable. */
interface ValueTest {
  /** The possible outcomes for the value in {@code [from, to)}, without white space around it. */
  int outcomes(byte[] bytes, int from, int to);

  /** Uses the value as a condition; an error if it is neither true nor false. */
  ValueTest IS_TRUE =
      (bytes, from, to) ->
          switch (bytes[from]) {
            case 't' -> Outcomes.TRUE;
            case 'f' -> Outcomes.FALSE;
            default -> Outcomes.ERROR;
          };

  /**
   * Tests equality with {@code true}, {@code false} or {@code null}, identified by their first
   * letters.
   */
  record WordTest(Comparison comparison, char first) implements ValueTest {
    @Override
    public int outcomes(byte[] bytes, int from, int to) {
      return comparison.outcomes(bytes[from] - first);
    }
  }
}
