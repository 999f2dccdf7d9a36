package hourglass.query.where;

import hourglass.store.FieldValue;
import java.util.Optional;

record NumberTest(Comparison comparison, QuickNumber constant) implements ValueTest {
  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    return QuickNumber.of(bytes, from, to).outcomes(comparison, constant);
  }

  @Override
  public Optional<FieldValue> required(String key) {
    return comparison == Comparison.EQUAL
        ? constant.exact().map(number -> FieldValue.of(key, number))
        : Optional.empty();
  }
}
