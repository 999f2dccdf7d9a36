package hourglass.ingest.http;

import io.vertx.core.MultiMap;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The attributes of a CloudEvent in the headers of a request, by the CloudEvents HTTP binding. */
final class CloudEventHeaders {
  private static final String PREFIX = "ce-";

  private CloudEventHeaders() {}

  /** The attributes by name, with raw values; empty if there are none. */
  static Map<String, String> in(MultiMap headers) {
    Map<String, String> attributes = new LinkedHashMap<>();
    headers.forEach(
        header -> {
          String name = header.getKey();
          if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
            String attribute = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
            // A repeated header is a list in HTTP.
            attributes.merge(attribute, header.getValue(), (first, next) -> first + "," + next);
          }
        });
    return attributes;
  }

  /**
   * The attributes with decoded values.
   *
   * @throws IllegalArgumentException if a value is not text
   */
  static Map<String, String> decoded(Map<String, String> attributes) {
    Map<String, String> decoded = new LinkedHashMap<>();
    attributes.forEach((name, value) -> decoded.put(name, decode(name, value)));
    return decoded;
  }

  /** Decodes a value: optional quotes, percent-encoded UTF-8, a char for each byte. */
  private static String decode(String name, String value) {
    String raw = value.trim();
    if (raw.length() > 1 && raw.startsWith("\"") && raw.endsWith("\"")) {
      raw = raw.substring(1, raw.length() - 1).replaceAll("\\\\(.)", "$1");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      int high = raw.charAt(i) == '%' && i + 2 < raw.length() ? digit(raw, i + 1) : -1;
      int low = high < 0 ? -1 : digit(raw, i + 2);
      if (low >= 0) {
        bytes.write(high << 4 | low);
        i += 2;
      } else {
        bytes.write(raw.charAt(i));
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(PREFIX + name + ": not UTF-8, percent-encoded", e);
    }
  }

  private static int digit(String raw, int at) {
    return Character.digit(raw.charAt(at), 16);
  }
}
