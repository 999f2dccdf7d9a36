package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import java.nio.charset.StandardCharsets;

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
    int at = from;
    for (; to - at > BLOCK; at += BLOCK) {
      if (wanted.find(bytes, at, Math.min(to, at + BLOCK + wanted.length() - 1)) >= 0) {
        return true;
      }
      Effort.current().look();
    }
    return wanted.find(bytes, at, to) >= 0;
  }

  @Override
  public ByteSearch required() {
    return wanted;
  }
}
