package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Searches payloads for a text, byte by byte. A text in which the writer escaped a character
 * ({@code \"}) is found only in that spelling. Immutable.
 */
public final class TextSearch extends PayloadSearch {
  private final ByteSearch wanted;

  public TextSearch(String text) {
    wanted = new ByteSearch(text.getBytes(StandardCharsets.UTF_8), false);
  }

  @Override
  public boolean isIn(byte[] bytes, int from, int to) {
    return find(wanted, bytes, from, to);
  }

  @Override
  public List<ByteSearch> required() {
    return List.of(wanted);
  }
}
