package hourglass.ingest.http;

import hourglass.bytes.Utf8;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.CloudEvents;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a push. Those of a CloudEvent follow the CloudEvents HTTP binding.
 *
 * @param format null if the sender does not name it, and the body shows it
 * @param attributes the attributes of a CloudEvent in binary mode, by name; else empty
 */
record PushHeaders(
    @Nullable BodyFormat format,
    Map<String, String> attributes,
    @Nullable String contentType,
    @Nullable String idempotencyKey) {

  private static final String CLOUDEVENT = "ce-";
  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  /** The allowed content types, for clients that sent another one. */
  static final String ALLOWED =
      "application/json, application/x-ndjson, application/cloudevents+json,"
          + " application/cloudevents-batch+json, text/plain";

  /** The type that curl, wget and forms send by default, so it does not describe the body. */
  private static final String FORM = "application/x-www-form-urlencoded";

  /** Reads the headers. Throws {@link PushRefused} for an unknown type, or an empty key. */
  static PushHeaders of(MultiMap headers) {
    String contentType = headers.get(HttpHeaders.CONTENT_TYPE);
    Map<String, String> attributes = Map.of();
    BodyFormat format = format(contentType);
    boolean structured = format == BodyFormat.CLOUDEVENTS;
    if (!structured) {
      attributes = attributes(headers);
      format = attributes.isEmpty() ? format : BodyFormat.CLOUDEVENTS;
    }
    boolean isTaken = format != null || isUndeclared(contentType);
    if (!isTaken || attributes.isEmpty() && !isUtf8(contentType)) {
      throw new PushRefused(
          415,
          "Content-Type: "
              + (contentType == null ? "none" : "\"" + contentType + "\"")
              + ", want one of "
              + ALLOWED
              + ", in UTF-8; lines of text are taken with Content-Type: text/plain",
          "Accept-Post",
          ALLOWED);
    }
    return new PushHeaders(format, attributes, contentType, key(headers.get(IDEMPOTENCY_KEY)));
  }

  boolean isBinaryCloudEvent() {
    return !attributes.isEmpty();
  }

  /** Returns whether only the body shows its format. */
  static boolean isUndeclared(@Nullable String contentType) {
    return contentType == null || CloudEvents.mediaType(contentType).equals(FORM);
  }

  private static @Nullable BodyFormat format(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    String type = CloudEvents.mediaType(contentType);
    return switch (type) {
      case "application/json" -> BodyFormat.JSON;
      case "application/x-ndjson",
          "application/ndjson",
          "application/jsonl",
          "application/x-jsonlines" ->
          BodyFormat.NDJSON;
      case "application/cloudevents+json", "application/cloudevents-batch+json" ->
          BodyFormat.CLOUDEVENTS;
      case "text/plain" -> BodyFormat.TEXT;
      default -> type.startsWith("application/") && type.endsWith("+json") ? BodyFormat.JSON : null;
    };
  }

  private static boolean isUtf8(@Nullable String contentType) {
    String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    int charset = type.indexOf("charset=");
    if (charset < 0) {
      return true;
    }
    String name = type.substring(charset + "charset=".length()).replace("\"", "").trim();
    return name.startsWith("utf-8") || name.startsWith("utf8") || name.startsWith("us-ascii");
  }

  /**
   * Returns the key. An empty key is refused: it is a mistake, such as an unset variable, and
   * identifies no request.
   */
  private static @Nullable String key(@Nullable String key) {
    if (key != null && key.isBlank()) {
      throw new PushRefused(
          400,
          IDEMPOTENCY_KEY
              + ": empty, want a text that this request and its retries have alone; or leave the"
              + " header out");
    }
    return key;
  }

  /** Returns the attributes of a CloudEvent by name, with raw values. */
  private static Map<String, String> attributes(MultiMap headers) {
    Map<String, String> attributes = new LinkedHashMap<>();
    headers.forEach(
        header -> {
          String name = header.getKey();
          if (name.regionMatches(true, 0, CLOUDEVENT, 0, CLOUDEVENT.length())) {
            String attribute = name.substring(CLOUDEVENT.length()).toLowerCase(Locale.ROOT);
            // A repeated header is a list in HTTP.
            attributes.merge(attribute, header.getValue(), (first, next) -> first + "," + next);
          }
        });
    return attributes;
  }

  /**
   * Returns the attributes as text. Throws {@link IllegalArgumentException} if a value is not text.
   */
  Map<String, String> decodedAttributes() {
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
    String decoded = Utf8.decode(bytes.toByteArray());
    if (decoded == null) {
      throw new IllegalArgumentException(CLOUDEVENT + name + ": not UTF-8, percent-encoded");
    }
    return decoded;
  }

  private static int digit(String raw, int at) {
    return Character.digit(raw.charAt(at), 16);
  }
}
