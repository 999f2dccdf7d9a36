package hourglass.query.where;

/** Compares a JSON number with a constant by value, across kinds. */
record NumberTest(Comparison comparison, QuickNumber constant) implements ValueTest {
  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    return QuickNumber.of(bytes, from, to).outcomes(comparison, constant);
  }
}
