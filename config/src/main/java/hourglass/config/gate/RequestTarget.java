package hourglass.config.gate;

import hourglass.bytes.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The target of a request. Only an absolute one, {@code http://HOST/PATH}, has an authority. */
record RequestTarget(@Nullable Authority authority, String path) {
  private static final int SHOWN_MAX = 200;
  private static final Pattern ABSOLUTE = Pattern.compile("(?i)https?://([^/?#]*)");

  /**
   * Reads a target. Throws {@link RefusedRequest} if it is malformed or its percent-encoded bytes
   * are not UTF-8. Decoders replace such bytes, so the request would address another resource than
   * its client meant.
   */
  static RequestTarget parse(String target) {
    int pathStart = 0;
    Authority authority = null;
    if (!target.startsWith("/")) {
      Matcher absolute = ABSOLUTE.matcher(target);
      if (!absolute.lookingAt()) {
        throw RefusedRequest.bad("target: " + shown(target) + ", want a path");
      }
      pathStart = absolute.end();
      authority = Authority.parse(absolute.group(1));
      if (authority == null) {
        throw RefusedRequest.bad("target: " + shown(target) + " names no host");
      }
    }
    int queryStart = target.indexOf('?', pathStart);
    int pathEnd = queryStart < 0 ? target.length() : queryStart;
    String path = target.substring(pathStart, pathEnd);
    if (target.indexOf('#') >= 0) {
      throw RefusedRequest.bad("target: " + shown(target) + " has a #, want %23");
    }
    if (!isText(path, false)) {
      throw RefusedRequest.bad(
          "path: " + shown(path) + " is not UTF-8, percent-encoded and without control characters");
    }
    String query = target.substring(pathEnd);
    if (!isText(query, true)) {
      throw RefusedRequest.bad(
          "query: " + shown(query.substring(1)) + " is not UTF-8, percent-encoded");
    }
    return new RequestTarget(authority, path.isEmpty() ? "/" : path);
  }

  /**
   * Returns whether percent signs are followed by hexadecimal digits and the bytes are UTF-8.
   * Unless {@code controls} is true, the bytes must not contain control characters.
   */
  static boolean isText(String encoded, boolean controls) {
    if (encoded.indexOf('%') < 0) {
      return true;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      int octet = c == '%' ? octet(encoded, i + 1) : c;
      if (octet < 0 || octet < ' ' && !controls || octet == 0x7f && !controls) {
        return false;
      }
      bytes.write(octet);
      i += c == '%' ? 2 : 0;
    }
    return Utf8.decode(bytes.toByteArray()) != null;
  }

  /** Reads two hexadecimal digits. Returns -1 if they are not there. */
  private static int octet(String encoded, int at) {
    if (at + 2 > encoded.length()) {
      return -1;
    }
    int high = Character.digit(encoded.charAt(at), 16);
    int low = Character.digit(encoded.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static String shown(String text) {
    return '"' + (text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "..." : text) + '"';
  }
}
