package hourglass.config.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An error as application/problem+json (RFC 9457). */
public final class Problem {
  private static final String CONTENT_TYPE = "application/problem+json";

  /**
   * The headers for browsers in every response. Foreign pages cannot show or embed an answer, and
   * browsers keep to its content type. The page's address, which has filters in it, stays here. The
   * page itself limits its scripts.
   */
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "Content-Security-Policy", "frame-ancestors 'none'",
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin");

  private Problem() {}

  static void putSecurityHeaders(HttpServerResponse response) {
    SECURITY_HEADERS.forEach(response::putHeader);
  }

  public static void send(HttpServerResponse response, int status, @Nullable String detail) {
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
        .end(json(status, detail));
  }

  /** For a connection that is closed behind it, where no route can answer any more. */
  static byte[] lastResponse(RefusedRequest refused) {
    byte[] body = json(refused.status(), refused.detail()).getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 ");
    head.append(HttpResponseStatus.valueOf(refused.status()))
        .append("\r\nContent-Type: " + CONTENT_TYPE + "\r\nConnection: close\r\n");
    SECURITY_HEADERS.forEach(
        (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
    byte[] start = head.toString().getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[start.length + body.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    return all;
  }

  private static String json(int status, @Nullable String detail) {
    StringBuilder json = new StringBuilder("{\"type\":\"about:blank\",\"title\":");
    quote(json, HttpResponseStatus.valueOf(status).reasonPhrase());
    json.append(",\"status\":").append(status);
    if (detail != null) {
      quote(json.append(",\"detail\":"), detail);
    }
    return json.append("}\n").toString();
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, json);
    json.append('"');
  }
}
