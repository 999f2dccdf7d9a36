package hourglass.config.gate.auth;

import hourglass.access.Client;
import hourglass.config.gate.ClientAddress;
import hourglass.config.gate.Problem;
import hourglass.config.gate.keys.Key;
import hourglass.config.gate.keys.KeyRing;
import hourglass.config.gate.keys.Scope;
import hourglass.http.ProblemJson;
import hourglass.http.UnreadBody;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Accepts a request if its key permits it, and finds its {@link Client}. All others are refused:
 * with 401 if they have no valid key, with 403 if their key does not permit them. Thread-safe.
 */
public final class AccessGate {
  private static final String CALLER = "hourglass.caller";

  private static final String CHALLENGE = "Bearer, Basic realm=\"hourglass\"";

  /**
   * The challenge for requests of the page. It does not offer Basic, because the browser would then
   * ask for a password instead of the page.
   */
  private static final String CHALLENGE_OF_PAGE = "Bearer";

  private static final String RETRY_AFTER_SECONDS = "10";

  private final Authenticator authenticator;
  private final SessionRoutes sessions;
  private final Predicate<String> isPage;
  private final WrongKeys wrongKeys;

  /**
   * Creates a gate.
   *
   * @param certificateNames returns the names in the client's verified certificate, best first
   * @param isPage returns whether a path is a file of the page, which everybody may load
   */
  public AccessGate(
      KeyRing ring,
      InstantSource clock,
      Function<HttpServerRequest, List<String>> certificateNames,
      Predicate<String> isPage) {
    Sessions cookies = new Sessions(clock);
    this.isPage = isPage;
    authenticator = new Authenticator(ring, cookies, clock, certificateNames);
    wrongKeys = new WrongKeys(System::nanoTime);
    sessions = new SessionRoutes(authenticator, cookies, this::refuseWrong);
  }

  /** Mounts the gate. Mount it after {@link ClientAddress} and before every other route. */
  public void mount(Router router) {
    router.route().handler(this::handle);
    sessions.mount(router);
  }

  /** Mounts the answers to questions about keys for a server without keys. */
  public static void mountWithoutKeys(Router router) {
    SessionRoutes.mountWithoutKeys(router);
  }

  /**
   * Returns the client of a request that was accepted. On a server without keys it is the client's
   * address.
   */
  public static Client clientOf(RoutingContext ctx) {
    Caller caller = ctx.get(CALLER);
    return caller == null ? Client.open(ctx.get(ClientAddress.KEY)) : caller.client();
  }

  /**
   * Returns whether a request may learn about all events that are stored, as on a server without
   * keys.
   */
  public static boolean mayReadAll(RoutingContext ctx) {
    Caller caller = ctx.get(CALLER);
    return caller == null || caller.key() != null && AccessRule.QUERY_ALL.allows(caller.key());
  }

  /**
   * Returns whether a request may see and end the work of other clients, as every one on a server
   * without keys.
   */
  public static boolean mayManage(RoutingContext ctx) {
    Caller caller = ctx.get(CALLER);
    return caller == null || caller.key() != null && caller.key().has(Scope.ADMIN);
  }

  /**
   * Returns whether a request contained a key that is not valid, in a header or to begin a session.
   */
  public static boolean hasWrongKey(RoutingContext ctx) {
    Caller caller = ctx.get(CALLER);
    boolean isSignIn =
        ctx.request().method().equals(HttpMethod.POST)
            && ctx.normalizedPath().equals(SessionRoutes.PATH);
    return isSignIn || caller != null && caller.isWrong();
  }

  /** Returns whether a request is one that only an operator may send, such as to drop an hour. */
  public static boolean isForAdmin(RoutingContext ctx) {
    return isFor(Scope.ADMIN, ctx);
  }

  /** Returns whether a request is about erasures. */
  public static boolean isForErasures(RoutingContext ctx) {
    return isFor(Scope.ERASE, ctx);
  }

  private static boolean isFor(Scope scope, RoutingContext ctx) {
    AccessRule rule = AccessRule.of(ctx.request().method(), ctx.normalizedPath());
    return rule != null && rule.scope() == scope;
  }

  /**
   * Returns the client of a sender that pushes by another protocol than HTTP, found by the names in
   * a certificate. Returns null if no key of these names may push.
   */
  public @Nullable Client pusher(List<String> names) {
    Key key = authenticator.certified(names);
    return key == null || !key.has(Scope.INGEST) ? null : authenticator.client(key);
  }

  /** Returns the key of a request, or null for a stranger. */
  static @Nullable Key keyOf(RoutingContext ctx) {
    Caller caller = ctx.get(CALLER);
    return caller == null ? null : caller.key();
  }

  private void handle(RoutingContext ctx) {
    Caller caller = authenticator.caller(ctx.request(), ctx.get(ClientAddress.KEY));
    ctx.put(CALLER, caller);
    String path = ctx.normalizedPath();
    AccessRule rule = AccessRule.of(ctx.request().method(), path);
    if (rule == null && isPage.test(path)) {
      rule = AccessRule.OPEN;
    }
    if (rule != null && rule.scope() == null) {
      ctx.next();
      return;
    }
    Key key = caller.key();
    if (key == null) {
      if (caller.isWrong()) {
        refuseWrong(ctx);
      } else {
        unauthorized(ctx, "this server wants a key, as in Authorization: Bearer SECRET");
      }
    } else if (rule == null) {
      unknown(ctx, key);
    } else if (rule.allows(key)) {
      ctx.next();
    } else {
      forbid(ctx, key, rule);
    }
  }

  /**
   * Answers a request for a path without a rule, which may be a route that was forgotten. Only a
   * key for admin reaches it.
   */
  private static void unknown(RoutingContext ctx, Key key) {
    if (key.has(Scope.ADMIN)) {
      ctx.next();
    } else {
      UnreadBody.discard(ctx);
      ctx.fail(404);
    }
  }

  private static void forbid(RoutingContext ctx, Key key, AccessRule rule) {
    String scope = rule.scope() == null ? "" : rule.scope().text();
    boolean hasScope = rule.scope() != null && key.has(rule.scope());
    String why =
        hasScope
            ? "the key %s may see some event types only, and this is about all of them"
            : "the key %s has no scope " + scope;
    UnreadBody.discard(ctx);
    Problem.send(ctx, 403, why.formatted(key.name()), Map.of("scope", hasScope ? "admin" : scope));
  }

  /** Refuses a wrong key, after a delay if its address has sent many. */
  private void refuseWrong(RoutingContext ctx) {
    long millis = wrongKeys.add(ctx.get(ClientAddress.KEY));
    if (millis == WrongKeys.TOO_MANY) {
      UnreadBody.discard(ctx);
      ctx.response().putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
      Problem.send(ctx, 429, "too many wrong keys from this address", Map.of());
    } else if (millis == 0) {
      wrong(ctx);
    } else {
      ctx.vertx().setTimer(millis, id -> wrong(ctx));
    }
  }

  private static void wrong(RoutingContext ctx) {
    unauthorized(ctx, "this key is unknown, or it has expired or was revoked");
  }

  static void unauthorized(RoutingContext ctx, String detail) {
    HttpServerResponse response = ctx.response();
    if (response.closed() || response.ended()) {
      return; // the client disconnected while it waited
    }
    UnreadBody.discard(ctx);
    response.putHeader("WWW-Authenticate", challenge(ctx.request()));
    Problem.send(ctx, 401, detail);
  }

  /**
   * Chooses the challenge. Browsers name the mode of each request over TLS and on the loopback.
   * Elsewhere they do not, and the page is recognized by the content types that it accepts.
   */
  private static String challenge(HttpServerRequest request) {
    String mode = request.getHeader("Sec-Fetch-Mode");
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    boolean isOfPage =
        mode == null
            ? accept != null && accept.contains(ProblemJson.CONTENT_TYPE)
            : !mode.equals("navigate");
    return isOfPage ? CHALLENGE_OF_PAGE : CHALLENGE;
  }
}
