package hourglass.ingest.decode;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The text of JSON strings that have been scanned already. */
final class JsonText {
  /** Characters of a value that a reason shows. */
  private static final int SHOWN_CHARS_MAX = 64;

  private JsonText() {}

  /** The text inside the quotes, escapes resolved. */
  static String text(byte[] b, int from, int to) {
    String raw = new String(b, from, to - from, StandardCharsets.UTF_8);
    int escape = raw.indexOf('\\');
    if (escape < 0) {
      return raw;
    }
    StringBuilder text = new StringBuilder(raw.length()).append(raw, 0, escape);
    for (int i = escape; i < raw.length(); i++) {
      if (raw.charAt(i) != '\\') {
        text.append(raw.charAt(i));
      } else if (raw.charAt(++i) == 'u') {
        text.append((char) Integer.parseInt(raw, i + 1, i + 5, 16));
        i += 4;
      } else {
        text.append(unescaped(raw.charAt(i)));
      }
    }
    return text.toString();
  }

  private static char unescaped(char c) {
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> c;
    };
  }

  /** The text as UTF-8, for comparing; half a surrogate pair equals nothing that is well-formed. */
  static byte[] unescape(byte[] b, int from, int to) {
    byte[] utf8 = strictUtf8(text(b, from, to));
    return utf8 == null ? new byte[] {(byte) 0xff} : utf8;
  }

  /** The text as UTF-8, or null where it holds half a surrogate pair. */
  static byte @Nullable [] strictUtf8(String text) {
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Bytes as a reason shows them: what is not UTF-8 replaced, and cut when long. */
  static String shown(byte[] b, int from, int to) {
    int bytesShown = Math.min(to - from, 4 * SHOWN_CHARS_MAX);
    String text = new String(b, from, bytesShown, StandardCharsets.UTF_8);
    if (bytesShown == to - from && text.length() <= SHOWN_CHARS_MAX) {
      return text;
    }
    int cut = Math.min(SHOWN_CHARS_MAX, text.length());
    boolean splitsPair = Character.isHighSurrogate(text.charAt(cut - 1));
    return text.substring(0, splitsPair ? cut - 1 : cut) + "...";
  }
}
