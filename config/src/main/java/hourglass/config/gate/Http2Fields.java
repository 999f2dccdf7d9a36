package hourglass.config.gate;

import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks the fields of an HTTP/2 request more strictly than the codec does, so that each request
 * has one meaning (RFC 9113, section 8). A malformed request resets its stream.
 */
final class Http2Fields {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern TARGET = Pattern.compile("/[!-~]*|\\*");
  private static final Pattern BYTES = Pattern.compile("\\d{1,18}");
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private Http2Fields() {}

  /**
   * Checks the fields of a request and joins the parts of a cookie. Throws an error of the stream
   * if a field is malformed.
   */
  static void check(int stream, Http2Headers fields) throws Http2Exception {
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      checkField(stream, field.getKey(), field.getValue());
    }
    checkOne(stream, fields, PseudoHeaderName.METHOD.value(), TOKEN);
    checkOne(stream, fields, PseudoHeaderName.PATH.value(), TARGET);
    checkScheme(stream, fields);
    checkHost(stream, fields);
    for (String name : HeadLines.CREDENTIALS) {
      if (fields.getAll(name).size() > 1) {
        throw malformed(stream, name + ": given more than once, want it once");
      }
    }
    List<CharSequence> lengths = fields.getAll(HttpHeaderNames.CONTENT_LENGTH);
    if (!lengths.isEmpty()) {
      checkOne(stream, fields, HttpHeaderNames.CONTENT_LENGTH, BYTES);
    }
    List<CharSequence> cookies = fields.getAll(HttpHeaderNames.COOKIE);
    if (cookies.size() > 1) {
      fields.set(HttpHeaderNames.COOKIE, String.join("; ", cookies));
    }
  }

  /** Checks one field. The codec refuses fields that only HTTP/1 allows. */
  private static void checkField(int stream, CharSequence name, CharSequence value)
      throws Http2Exception {
    boolean isPseudo = name.length() > 0 && name.charAt(0) == ':';
    if (!isPseudo && !isLowerToken(name)) {
      throw malformed(stream, "the name of a field is no token in lower case");
    }
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      boolean isSpace = c == ' ' || c == '\t';
      if (c < ' ' && c != '\t' || c == 0x7f || isSpace && (i == 0 || i == length - 1)) {
        throw malformed(stream, name + ": byte 0x%02x".formatted((int) c));
      }
    }
  }

  private static boolean isLowerToken(CharSequence name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        return false;
      }
    }
    return TOKEN.matcher(name).matches();
  }

  private static void checkOne(int stream, Http2Headers fields, CharSequence name, Pattern form)
      throws Http2Exception {
    List<CharSequence> values = fields.getAll(name);
    if (values.size() != 1 || !form.matcher(values.get(0)).matches()) {
      throw malformed(stream, name + ": want one, of the form " + form);
    }
  }

  private static void checkScheme(int stream, Http2Headers fields) throws Http2Exception {
    List<CharSequence> schemes = fields.getAll(PseudoHeaderName.SCHEME.value());
    if (schemes.size() != 1 || !SCHEMES.contains(schemes.get(0).toString())) {
      throw malformed(stream, ":scheme: want http or https");
    }
  }

  /**
   * Checks that there is one host, because the gate reads it from {@code :authority} or {@code
   * Host}.
   */
  private static void checkHost(int stream, Http2Headers fields) throws Http2Exception {
    List<CharSequence> authorities = fields.getAll(PseudoHeaderName.AUTHORITY.value());
    List<CharSequence> hosts = fields.getAll(HttpHeaderNames.HOST);
    if (authorities.size() > 1 || hosts.size() > 1) {
      throw malformed(stream, "host: given more than once");
    }
    if (authorities.isEmpty() && hosts.isEmpty()) {
      throw malformed(stream, ":authority: missing");
    }
    if (!authorities.isEmpty()
        && !hosts.isEmpty()
        && !authorities.get(0).toString().equalsIgnoreCase(hosts.get(0).toString())) {
      throw malformed(stream, "host: another than :authority");
    }
  }

  private static Http2Exception malformed(int stream, String why) {
    return Http2Exception.streamError(stream, PROTOCOL_ERROR, "%s", why);
  }
}
