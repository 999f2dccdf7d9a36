package hourglass.config.gate;

import hourglass.access.LimitExceededException;
import hourglass.access.RequestId;
import hourglass.access.SecretText;
import hourglass.http.ProblemJson;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An error as application/problem+json (RFC 9457). */
public final class Problem {
  private static final String FORM = "hourglass.form";

  /** Of Loki's API, whose clients print an error as it is. */
  public static final String TEXT_PATHS = "/loki/";

  /**
   * The headers for browsers in every response. Foreign pages cannot show or embed an answer, and
   * browsers keep to its content type and load nothing for it. The page's address, which has
   * filters in it, stays here. The page's own files have a policy of their own.
   */
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin");

  private Problem() {}

  static void putSecurityHeaders(HttpServerResponse response) {
    SECURITY_HEADERS.forEach(response::putHeader);
  }

  /** In the form of {@link #answerAs}, else as a problem. */
  public static void send(RoutingContext ctx, int status, @Nullable String detail) {
    send(ctx, status, detail, Map.of());
  }

  /** With members of its own, which only a problem has. */
  public static void send(
      RoutingContext ctx, int status, @Nullable String detail, Map<String, ?> members) {
    Form form = ctx.get(FORM);
    if (form == null) {
      send(ctx.response(), status, detail, members);
    } else {
      String text = detail == null ? HttpResponseStatus.valueOf(status).reasonPhrase() : detail;
      form.send(ctx, status, SecretText.hide(text));
    }
  }

  /** Sets the form of errors for the clients of another protocol. */
  public static void answerAs(RoutingContext ctx, Form form) {
    ctx.put(FORM, form);
  }

  /** An error as the clients of some protocol read it. */
  public interface Form {
    void send(RoutingContext ctx, int status, String detail);
  }

  /** Before any route. */
  static void send(HttpServerRequest request, int status, String detail) {
    if (String.valueOf(request.path()).startsWith(TEXT_PATHS)) {
      sendText(request.response(), status, SecretText.hide(detail));
    } else {
      send(request.response(), status, detail, Map.of());
    }
  }

  /** As a line of text. */
  public static void sendText(HttpServerResponse response, int status, String detail) {
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(detail + "\n");
  }

  /** Names the limit, for clients that adapt to it. */
  public static void send(RoutingContext ctx, LimitExceededException limit) {
    String seconds = Long.toString(limit.retryAfterSeconds());
    ctx.response().putHeader(HttpHeaders.RETRY_AFTER, seconds);
    send(ctx, 429, limit.getMessage(), Map.of("limit", limit.limit()));
  }

  private static void send(
      HttpServerResponse response, int status, @Nullable String detail, Map<String, ?> members) {
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, ProblemJson.CONTENT_TYPE)
        .end(json(status, detail, members));
  }

  /** For a connection that is closed behind it, where no route can answer any more. */
  static byte[] lastResponse(RefusedRequest refused) {
    String body = json(refused.status(), refused.detail(), Map.of());
    String securityHeaders =
        SECURITY_HEADERS.entrySet().stream()
            .map(header -> header.getKey() + ": " + header.getValue() + "\r\n")
            .collect(Collectors.joining());
    return "HTTP/1.1 %s\r\nContent-Type: %s\r\nConnection: close\r\n%s: %s\r\n%sContent-Length: %s\r\n\r\n%s"
        .formatted(
            HttpResponseStatus.valueOf(refused.status()),
            ProblemJson.CONTENT_TYPE,
            RequestId.HEADER,
            RequestId.next(),
            securityHeaders,
            body.getBytes(StandardCharsets.UTF_8).length,
            body)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String json(int status, @Nullable String detail, Map<String, ?> members) {
    JsonObject json = ProblemJson.of(status, detail);
    members.forEach(json::put);
    return json.encode() + "\n";
  }
}
