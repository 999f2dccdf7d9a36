package hourglass.store.testkit;

import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter on the last member of payloads such as {@code {"copy":1,"n":20}}: its number is 0. */
enum NumberFilter implements FieldFilter {
  ZERO;

  @Override
  public int @Nullable [] find(byte[] payload, int from, int to) {
    String text = new String(payload, from, to - from, StandardCharsets.ISO_8859_1);
    int key = text.indexOf("\"n\":");
    return key < 0 ? new int[2] : new int[] {from + key + 4, to - 1};
  }

  @Override
  public boolean mayMatch(byte[] bytes, int[] places) {
    return places[1] - places[0] == 1 && bytes[places[0]] == '0';
  }

  @Override
  public List<List<FieldValue>> required() {
    return List.of(List.of(FieldValue.of("n", BigDecimal.ZERO)));
  }

  @Override
  public boolean surelyMatches(byte[] bytes, int[] places) {
    return mayMatch(bytes, places);
  }
}
