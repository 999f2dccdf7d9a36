package hourglass.ingest.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.store.text.Utf8;
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
 * Converts a CloudEvent of a transport's binary mode, attributes in headers and data in the body,
 * to its JSON form.
 *
 * <pre>
 * ce-id: 7                        {"id":"7","source":"/shop",...
 * ce-source: /shop          -&gt;     "datacontenttype":"application/json",
 * {"n":1}                          "data":{"n":1}}
 * </pre>
 */
public final class BinaryCloudEvent {
  private static final JsonFactory JSON = new JsonFactory();
  private static final Set<String> NO_ATTRIBUTES = Set.of("data", "data_base64");

  private BinaryCloudEvent() {}

  /**
   * The event's JSON form.
   *
   * @param attributes by name, without the transport's prefix
   * @param contentType content type of the data; null if there is none
   * @throws IllegalArgumentException if a part does not fit into JSON
   */
  public static Body toJson(
      Map<String, String> attributes, @Nullable String contentType, Body data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(data.length() + 512);
    try (JsonGenerator json = JSON.createGenerator(out)) {
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
      boolean isJson = contentType != null && isJson(mediaType(contentType));
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

  private static String mediaType(String contentType) {
    int parameters = contentType.indexOf(';');
    String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return type.trim().toLowerCase(Locale.ROOT);
  }

  private static boolean isJson(String mediaType) {
    return mediaType.endsWith("/json") || mediaType.endsWith("+json");
  }

  private static boolean isText(String contentType) {
    String type = mediaType(contentType);
    return type.startsWith("text/")
        || type.endsWith("/xml")
        || type.endsWith("+xml")
        || contentType.toLowerCase(Locale.ROOT).contains("charset=utf-8");
  }
}
