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

/** Sends an error as application/problem+json (RFC 9457), or in the form of another protocol. */
public final class Problem {
  private static final String FORM = "hourglass.form";

  /** The paths of Loki's API, whose clients print an error as it is, so that it is plain text. */
  public static final String TEXT_PATHS = "/loki/";

  /**
   * The headers for browsers in every response. Foreign pages cannot show or embed an answer, and
   * browsers keep to its content type and load nothing for it. Browsers do not send the page's
   * address, which contains filters, to other servers. The page's own files have a policy of their
   * own.
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

  /** Sends an error in the form set by {@link #answerAs}, or else as a problem. */
  public static void send(RoutingContext ctx, int status, @Nullable String detail) {
    send(ctx, status, detail, Map.of());
  }

  /** Sends an error with additional members, which only a problem contains. */
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

  /** The form of an error that the clients of a protocol can read. */
  public interface Form {
    void send(RoutingContext ctx, int status, String detail);
  }

  /** Sends an error before any route. */
  static void send(HttpServerRequest request, int status, String detail) {
    if (String.valueOf(request.path()).startsWith(TEXT_PATHS)) {
      sendText(request.response(), status, SecretText.hide(detail));
    } else {
      send(request.response(), status, detail, Map.of());
    }
  }

  /** Sends an error as a line of text. */
  public static void sendText(HttpServerResponse response, int status, String detail) {
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(detail + "\n");
  }

  /** Sends the refusal by a limit, and names the limit for clients that adapt to it. */
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

  /**
   * Returns the bytes of the last response on a connection that is closed after it, when no route
   * can answer any more.
   */
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
