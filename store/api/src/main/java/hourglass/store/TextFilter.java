package hourglass.store;

import hourglass.bytes.ByteSearch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter on the bytes of payloads alone. */
public record TextFilter(List<List<ByteSearch>> texts) implements FieldFilter {
  public TextFilter(ByteSearch text) {
    this(List.of(List.of(text)));
  }

  /** Creates a filter of payloads that contain each of these texts. */
  public static TextFilter ofAll(List<ByteSearch> texts) {
    return new TextFilter(texts.stream().map(List::of).toList());
  }

  @Override
  public int @Nullable [] find(byte[] payload, int from, int to) {
    return null;
  }

  @Override
  public boolean mayMatch(byte[] bytes, int[] places) {
    return true;
  }
}
