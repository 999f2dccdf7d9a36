package hourglass.ingest.decode;

import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bytes.Json;
import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonString;
import hourglass.bytes.Utf8;
import hourglass.ingest.decode.EventFields.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of CloudEvents 1.0 and its JSON format. Converts an event of a transport's binary mode
 * to its JSON form:
 *
 * <pre>
 * ce-id: 7                        {"id":"7","source":"/shop",...
 * ce-source: /shop          -&gt;     "datacontenttype":"application/json",
 * {"n":1}                          "data":{"n":1}}
 * </pre>
 */
public final class CloudEvents {
  private static final Set<String> NO_ATTRIBUTES = Set.of("data", "data_base64");

  private CloudEvents() {}

  /**
   * Returns the JSON form of an event.
   *
   * @param attributes the attributes by name, without the transport's prefix
   * @throws IllegalArgumentException if a part does not fit into JSON
   */
  public static Body toJson(
      Map<String, String> attributes, @Nullable String contentType, Body data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(data.length() + 512);
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      for (Map.Entry<String, String> attribute : attributes.entrySet()) {
        String name = attribute.getKey().toLowerCase(Locale.ROOT);
        if (NO_ATTRIBUTES.contains(name)) {
          throw new IllegalArgumentException(name + ": not an attribute of a CloudEvent");
        }
        if (!name.equals("datacontenttype")) {
          json.writeStringField(name, attribute.getValue());
        }
      }
      if (contentType != null) {
        json.writeStringField("datacontenttype", contentType);
      }
      String type = contentType == null ? "" : mediaType(contentType);
      boolean isJson =
          contentType == null ? isJson(data) : type.endsWith("/json") || type.endsWith("+json");
      if (data.length() > 0 && !isJson) {
        writeData(json, contentType, data);
      }
      json.flush();
      if (data.length() > 0 && isJson) {
        appendJson(out, data);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all bytes", e);
    }
    return Body.copyOf(out.toByteArray());
  }

  private static void appendJson(ByteArrayOutputStream out, Body data) {
    JsonScanner json = new JsonScanner(Integer.MAX_VALUE);
    json.reset();
    byte[] b = data.bytes();
    int from = json.space(b, 0);
    int to = json.value(b, from);
    int end = to < 0 ? to : json.space(b, to);
    if (to < 0 || end < data.length()) {
      int at = to < 0 ? json.failedAt() : end;
      throw new IllegalArgumentException("data: not JSON at byte " + at);
    }
    out.writeBytes(",\"data\":".getBytes(StandardCharsets.UTF_8));
    out.write(b, from, to - from);
  }

  /**
   * Returns whether data without a content type is JSON: it is if it looks like it (CloudEvents
   * JSON format, 3.1).
   */
  private static boolean isJson(Body data) {
    JsonScanner json = new JsonScanner(Integer.MAX_VALUE);
    json.reset();
    int to = json.value(data.bytes(), json.space(data.bytes(), 0));
    return to >= 0 && json.space(data.bytes(), to) >= data.length();
  }

  private static void writeData(JsonGenerator json, @Nullable String contentType, Body data)
      throws IOException {
    byte[] bytes = Arrays.copyOf(data.bytes(), data.length());
    String text = contentType != null && isText(contentType) ? Utf8.decode(bytes) : null;
    if (text != null) {
      json.writeStringField("data", text);
    } else {
      json.writeStringField("data_base64", Base64.getEncoder().encodeToString(bytes));
    }
  }

  /** Returns a content type without its parameters, in lower case. */
  public static String mediaType(String contentType) {
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return type.trim().toLowerCase(Locale.ROOT);
  }

  private static boolean isText(String contentType) {
    String type = mediaType(contentType);
    return type.startsWith("text/")
        || type.endsWith("/xml")
        || type.endsWith("+xml")
        || contentType.toLowerCase(Locale.ROOT).contains("charset=utf-8");
  }

  /** Returns the rule that a scanned event violates, or null. */
  static @Nullable String check(byte[] b, EventFields fields, FieldNames names) {
    String version = text(b, fields, FieldNames.CE_SPECVERSION);
    if (!version.equals("1.0")) {
      return "specversion: \"" + version + "\", want \"1.0\"";
    }
    for (int slot = FieldNames.CE_ID; slot <= FieldNames.CE_SUBJECT; slot++) {
      boolean isText = fields.kind(slot).isText();
      boolean isRequired = slot <= FieldNames.CE_TYPE;
      if (isRequired && (!isText || fields.from(slot) == fields.to(slot))) {
        return names.text(slot) + ": missing, want a string that is not empty";
      }
      if (!isText && !fields.kind(slot).isMissing()) {
        return names.text(slot) + ": not a string";
      }
    }
    Kind base64 = fields.kind(FieldNames.CE_DATA_BASE64);
    if (base64.isMissing()) {
      return null;
    }
    if (!fields.kind(FieldNames.CE_DATA).isMissing()) {
      return "data and data_base64: both given";
    }
    int from = fields.from(FieldNames.CE_DATA_BASE64);
    int to = fields.to(FieldNames.CE_DATA_BASE64);
    return base64.isText() && isBase64(JsonString.decode(b, from, to))
        ? null
        : "data_base64: not base64";
  }

  private static String text(byte[] b, EventFields fields, int slot) {
    return fields.kind(slot).isText() ? Utf8.shown(b, fields.from(slot), fields.to(slot)) : "";
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
