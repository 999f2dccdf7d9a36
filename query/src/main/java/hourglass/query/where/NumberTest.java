package hourglass.query.where;

record NumberTest(Comparison comparison, QuickNumber constant) implements ValueTest {
  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    return QuickNumber.of(bytes, from, to).outcomes(comparison, constant);
  }
}
