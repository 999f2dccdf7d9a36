package hourglass.query.where;

/** Compares a JSON number with a constant by value, across kinds. */
record NumberTest(Comparison comparison, Quantity constant) implements ValueTest {
  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    return Quantity.of(bytes, from, to).outcomes(comparison, constant);
  }
}
