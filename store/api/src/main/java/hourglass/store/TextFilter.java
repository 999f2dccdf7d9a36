package hourglass.store;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.Spans;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter on the bytes and words of payloads alone. */
public record TextFilter(
    List<List<ByteSearch>> texts, List<List<ByteSearch>> impliedTexts, List<List<SoughtWord>> words)
    implements FieldFilter {
  public TextFilter(List<List<ByteSearch>> texts) {
    this(texts, List.of(), List.of());
  }

  public TextFilter(ByteSearch text) {
    this(List.of(List.of(text)));
  }

  /** Returns a filter for payloads that contain each of these folded words whole. */
  public static TextFilter ofWords(String... folded) {
    return new TextFilter(
        List.of(),
        List.of(),
        Arrays.stream(folded).map(word -> List.of(new SoughtWord(word, false))).toList());
  }

  @Override
  public @Nullable Spans find(byte[] payload, int from, int to) {
    return null;
  }

  @Override
  public boolean mayMatch(byte[] bytes, Spans places) {
    return true;
  }
}
