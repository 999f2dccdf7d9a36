package hourglass.store;

import hourglass.store.text.ByteSearch;
import org.jspecify.annotations.Nullable;

/** A filter on the bytes of payloads alone. */
public record TextFilter(ByteSearch text) implements FieldFilter {
  @Override
  public int @Nullable [] find(byte[] payload, int from, int to) {
    return null;
  }

  @Override
  public boolean mayMatch(byte[] bytes, int[] places) {
    return true;
  }
}
