package hourglass.config.gate.auth;

import hourglass.config.gate.keys.Key;
import hourglass.config.gate.keys.Scope;
import hourglass.http.SmallBodies;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /api/v1/session}, which begins, shows and ends the session of a browser.
 * Thread-safe.
 */
final class SessionRoutes {
  static final String PATH = "/api/v1/session";

  /** The size limit of a body. A key has 46 characters. */
  private static final int BODY_BYTES_MAX = 4_096;

  private final Authenticator authenticator;
  private final Sessions sessions;
  private final Handler<RoutingContext> refuseWrong;
  private final SmallBodies bodies = new SmallBodies();

  SessionRoutes(
      Authenticator authenticator, Sessions sessions, Handler<RoutingContext> refuseWrong) {
    this.authenticator = authenticator;
    this.sessions = sessions;
    this.refuseWrong = refuseWrong;
  }

  void mount(Router router) {
    router.post(PATH).handler(this::read);
    router.get(PATH).handler(this::show);
    router.delete(PATH).handler(this::end);
  }

  /**
   * Mounts the answer that no key is needed. It is not 404, which a browser would show as an error
   * in its console.
   */
  static void mountWithoutKeys(Router router) {
    router
        .get(PATH)
        .handler(
            ctx ->
                ctx.response()
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .setStatusCode(204)
                    .end());
  }

  private void read(RoutingContext ctx) {
    bodies
        .read(ctx, AccessGate.clientOf(ctx).share(), BODY_BYTES_MAX)
        .onSuccess(body -> begin(ctx, body))
        .onFailure(
            refusal -> {
              if (!ctx.response().closed()) {
                ctx.fail(refusal);
              }
            });
  }

  private void begin(RoutingContext ctx, Buffer body) {
    String secret = secret(body);
    if (secret == null) {
      ctx.fail(new HttpException(400, "body: want {\"key\":\"SECRET\"}"));
    } else if (authenticator.key(new Credentials(null, secret)) == null) {
      refuseWrong.handle(ctx);
    } else {
      answer(ctx, sessions.begin(secret), "");
    }
  }

  private static @Nullable String secret(Buffer body) {
    try {
      return body.toJsonValue() instanceof JsonObject given
              && given.getValue("key") instanceof String secret
          ? secret
          : null;
    } catch (DecodeException e) {
      return null; // the answer must not quote the body, which may contain a secret
    }
  }

  private void show(RoutingContext ctx) {
    Key key = AccessGate.keyOf(ctx);
    if (key == null) {
      if (AccessGate.hasWrongKey(ctx)) {
        refuseWrong.handle(ctx);
      } else {
        AccessGate.unauthorized(ctx, "there is no session");
      }
      return;
    }
    JsonObject session =
        new JsonObject()
            .put("name", key.name())
            .put("scopes", new JsonArray(key.scopes().stream().map(Scope::text).sorted().toList()))
            .put("types", new JsonArray(key.types().texts()));
    ctx.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    ctx.json(session);
  }

  private void end(RoutingContext ctx) {
    String cookie = Authenticator.cookie(ctx.request());
    if (cookie != null) {
      sessions.end(cookie, authenticator.keys());
    }
    answer(ctx, "", "; Max-Age=0");
  }

  /** Sets the cookie. Without an age, the browser deletes it when the browser is closed. */
  private static void answer(RoutingContext ctx, String value, String age) {
    String cookie = Sessions.COOKIE + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + age;
    ctx.response()
        .putHeader(HttpHeaders.SET_COOKIE, ctx.request().isSSL() ? cookie + "; Secure" : cookie)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .setStatusCode(204)
        .end();
  }
}
