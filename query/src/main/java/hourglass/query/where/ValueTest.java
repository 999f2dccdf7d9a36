package hourglass.query.where;

/** A test of a JSON value by its bytes. Immutable. */
interface ValueTest {
  /** What may come of it; the value stands in {@code [from, to)}, with no space around it. */
  int outcomes(byte[] bytes, int from, int to);

  /** The value as a condition: an error where it is neither true nor false. */
  ValueTest IS_TRUE =
      (bytes, from, to) ->
          switch (bytes[from]) {
            case 't' -> Outcomes.TRUE;
            case 'f' -> Outcomes.FALSE;
            default -> Outcomes.ERROR;
          };

  /**
   * A comparison for equality with {@code true}, {@code false} or {@code null}, which their first
   * letters tell from all else.
   */
  record WordTest(Comparison comparison, char first) implements ValueTest {
    @Override
    public int outcomes(byte[] bytes, int from, int to) {
      return comparison.outcomes(bytes[from] - first);
    }
  }
}
