package hourglass.ingest.http;

import hourglass.ingest.decode.BodyFormat;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a body in the headers of its push.
 *
 * @param attributes of a CloudEvent in binary mode, by name; else empty
 * @param announcedBytes the Content-Length, or -1 for a chunked body
 */
record PushHeaders(
    BodyFormat format,
    ContentEncoding encoding,
    Map<String, String> attributes,
    @Nullable String contentType,
    @Nullable String idempotencyKey,
    long announcedBytes) {

  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  /** Content types for clients that sent another one. */
  static final String ALLOWED =
      "application/json, application/x-ndjson, application/cloudevents+json,"
          + " application/cloudevents-batch+json";

  /**
   * Reads the headers.
   *
   * @throws PushRefused for an unknown type or encoding, or an empty key
   */
  static PushHeaders of(MultiMap headers) {
    String contentType = headers.get(HttpHeaders.CONTENT_TYPE);
    ContentEncoding encoding = ContentEncoding.of(headers.get(HttpHeaders.CONTENT_ENCODING));
    Map<String, String> attributes = Map.of();
    BodyFormat format = format(contentType);
    boolean structured = format == BodyFormat.CLOUDEVENTS;
    if (!structured) {
      attributes = CloudEventHeaders.in(headers);
      format = attributes.isEmpty() ? format : BodyFormat.CLOUDEVENTS;
    }
    if (format == null || attributes.isEmpty() && !isUtf8(contentType)) {
      throw new PushRefused(
          PushRefused.UNSUPPORTED,
          "Content-Type: "
              + (contentType == null ? "none" : "\"" + contentType + "\"")
              + ", want one of "
              + ALLOWED
              + ", in UTF-8",
          "Accept-Post",
          ALLOWED);
    }
    return new PushHeaders(
        format,
        encoding,
        attributes,
        contentType,
        key(headers.get(IDEMPOTENCY_KEY)),
        announced(headers.get(HttpHeaders.CONTENT_LENGTH)));
  }

  boolean isBinaryCloudEvent() {
    return !attributes.isEmpty();
  }

  private static @Nullable BodyFormat format(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return switch (type.trim().toLowerCase(Locale.ROOT)) {
      case "application/json" -> BodyFormat.JSON;
      case "application/x-ndjson", "application/ndjson" -> BodyFormat.NDJSON;
      case "application/cloudevents+json", "application/cloudevents-batch+json" ->
          BodyFormat.CLOUDEVENTS;
      default -> null;
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

  /** Refuses an empty key: it is a mistake, such as an unset variable, and identifies nothing. */
  private static @Nullable String key(@Nullable String key) {
    if (key != null && key.isBlank()) {
      throw new PushRefused(
          PushRefused.BAD_REQUEST,
          IDEMPOTENCY_KEY
              + ": empty, want a text that this request and its retries have alone; or leave the"
              + " header out");
    }
    return key;
  }

  private static long announced(@Nullable String contentLength) {
    try {
      return contentLength == null ? -1 : Long.parseLong(contentLength.trim());
    } catch (NumberFormatException e) {
      return -1; // the HTTP decoder refuses it
    }
  }
}
