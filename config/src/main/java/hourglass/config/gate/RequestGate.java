package hourglass.config.gate;

import hourglass.access.RequestId;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts requests for a name of this server, unless a page of another origin sent them. A page
 * thus cannot reach the server by DNS rebinding. Immutable.
 */
public final class RequestGate implements Handler<HttpServerRequest> {
  private static final String ALLOWED = "GET, HEAD, POST";
  private static final Set<String> REFUSED = Set.of("CONNECT", "TRACE");

  private final BiConsumer<HttpServerRequest, RefusedRequest> onRefused;
  private final Handler<HttpServerRequest> routes;
  private final boolean anyHost;
  private final Set<String> hosts = new HashSet<>();
  private final Origins origins;

  /**
   * Creates a gate that calls {@code onRefused} with each refused request, and {@code routes} with
   * each accepted one.
   */
  public RequestGate(
      GateOptions options,
      BiConsumer<HttpServerRequest, RefusedRequest> onRefused,
      Handler<HttpServerRequest> routes) {
    this.onRefused = onRefused;
    this.routes = routes;
    anyHost = options.anyHost();
    origins = new Origins(options.allowedOrigins());
    hosts.add("localhost");
    add(options.host());
    options.allowedHosts().forEach(this::add);
  }

  private void add(String name) {
    Authority authority = Authority.parse(name);
    if (authority != null) { // an IPv6 address to listen on has no brackets, and needs no listing
      hosts.add(authority.host());
    }
  }

  @Override
  public void handle(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    Problem.putSecurityHeaders(response);
    response.putHeader(RequestId.HEADER, RequestId.of(request.getHeader(RequestId.HEADER)));
    try {
      check(request);
    } catch (RefusedRequest e) {
      if (e.status() == 405) {
        response.putHeader(HttpHeaders.ALLOW, ALLOWED);
      }
      Problem.send(request, e.status(), e.detail());
      onRefused.accept(request, e);
      return;
    }
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin != null && origins.isListed(origin)) {
      CrossOrigin.allow(response, origin);
      if (CrossOrigin.isPreflight(request)) {
        CrossOrigin.answerPreflight(response);
        return;
      }
    }
    routes.handle(request);
  }

  /** Answers a request that is not HTTP, in its turn after earlier ones. */
  public static void invalid(HttpServerRequest request, int status, String detail) {
    Problem.putSecurityHeaders(request.response());
    request.response().putHeader(RequestId.HEADER, RequestId.next());
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    Problem.send(request, status, detail);
  }

  private void check(HttpServerRequest request) {
    String method = request.method().name();
    if (REFUSED.contains(method)
        || request.method().equals(HttpMethod.OPTIONS) && request.uri().equals("*")) {
      throw new RefusedRequest(405, method + " is not taken here");
    }
    RequestTarget target = RequestTarget.parse(request.uri());
    Authority host = host(request);
    Authority meant = meant(target, host);
    if (isProbe(target.path())) {
      return;
    }
    if (meant != null && !isOurs(meant)) {
      throw new RefusedRequest(
          421,
          "Host: \"%s\" is not a name of this server; want localhost, an IP address, http.host, or one of http.allowed-hosts"
              .formatted(meant.host()));
    }
    List<String> sent = request.headers().getAll(HttpHeaders.ORIGIN);
    if (sent.size() > 1
        || sent.size() == 1 && !origins.allow(sent.get(0), meant, request.isSSL())) {
      throw new RefusedRequest(
          403,
          "Origin: a page of %s may not send requests here; http.allowed-origins lists those that may"
              .formatted(String.join(", ", sent)));
    }
  }

  /** Returns whether a request that was accepted was not sent by a page of another origin. */
  public static boolean isOfOwnPage(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin == null) {
      return true;
    }
    Authority meant = meant(RequestTarget.parse(request.uri()), host(request));
    return Origins.isOwn(origin, meant, request.isSSL());
  }

  private static @Nullable Authority meant(RequestTarget target, @Nullable Authority host) {
    return target.authority() == null ? host : target.authority();
  }

  /**
   * Returns whether a path is that of a probe. The path must be written exactly so, because one
   * with dots or percent signs may lead elsewhere.
   */
  private static boolean isProbe(String path) {
    return path.equals("/health/live") || path.equals("/health/ready");
  }

  /**
   * Returns the host of a request: of HTTP/2 the {@code :authority}, of HTTP/1 the header {@code
   * Host}, or null if HTTP/1.0 has none.
   */
  private static @Nullable Authority host(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.HOST);
    if (request.version() == HttpVersion.HTTP_2) {
      header = String.valueOf(request.authority());
    }
    if (header == null) {
      return null;
    }
    Authority host = Authority.parse(header);
    if (host == null) {
      throw RefusedRequest.bad("Host: \"" + header + "\", want a name or an address, and a port");
    }
    return host;
  }

  private boolean isOurs(Authority authority) {
    return anyHost || authority.isAddress() || hosts.contains(authority.host());
  }
}
